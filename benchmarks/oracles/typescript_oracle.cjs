// usage: node typescript_oracle.cjs PATH-OF-TYPESCRIPT FILE-NAME
// Reads one JSON string per line (a source file), prints one line per file: a hash of TypeScript's own syntax tree
// without positions and comments, or "invalid". Parentheses, quoting of keys and strings, how numbers are written, how
// a chain of one logical operator is grouped, and the layout of JSX text mean nothing.
const ts = require(process.argv[2]);
const { createHash } = require("node:crypto");
const readline = require("node:readline");
const K = ts.SyntaxKind;
const name = process.argv[3];

function bare(node) {
  while (node.kind === K.ParenthesizedExpression || node.kind === K.ParenthesizedType) {
    const inner = node.expression ?? node.type;
    const parent = node.parent;
    const chain = inner.flags & ts.NodeFlags.OptionalChain && parent && parent.expression === node && ts.isLeftHandSideExpression(parent);
    const directive = parent?.kind === K.ExpressionStatement && inner.kind === K.StringLiteral;
    if (chain || directive) return node;
    node = inner;
  }
  return node;
}

function key(node) {
  const parent = node.parent;
  return parent && parent.name === node && parent.kind !== K.JsxAttribute && /^(?:[A-Za-z_$][\w$]*|\d+)$/.test(node.text);
}

function jsxText(text) {
  const lines = text.replace(/\r\n/g, "\n").split("\n");
  return lines
    .map((line, index) => {
      let result = line.replace(/[ \t]+/g, " ");
      if (index > 0) result = result.replace(/^ /, "");
      if (index < lines.length - 1) result = result.replace(/ $/, "");
      return result;
    })
    .filter((line) => line)
    .join(" ");
}

function jsxChildren(children, out) {
  let text = "";
  const flush = () => {
    if (text) out.push("text", JSON.stringify(text.replace(/ +/g, " ")));
    text = "";
  };
  for (const child of children) {
    const inner = child.kind === K.JsxExpression ? child.expression : undefined;
    if (child.kind === K.JsxText) text += jsxText(child.text);
    else if (inner?.kind === K.StringLiteral && /^ +$/.test(inner.text)) text += " ";
    else if (child.kind === K.JsxExpression && !inner) continue;
    else {
      flush();
      write(child, out);
    }
  }
  flush();
}

function operands(node, operator, out) {
  node = bare(node);
  if (node.kind === K.BinaryExpression && node.operatorToken.kind === operator) {
    operands(node.left, operator, out);
    operands(node.right, operator, out);
  } else write(node, out);
}

function types(node, kind, out) {
  for (const item of node.types) {
    const inner = bare(item);
    if (inner.kind === kind) types(inner, kind, out);
    else write(inner, out);
  }
}

const typeScriptOnly = new Set([
  K.AbstractKeyword, K.DeclareKeyword, K.ReadonlyKeyword, K.PrivateKeyword, K.PublicKeyword, K.ProtectedKeyword, K.ConstKeyword,
]);

// TypeScript's parser leaves some errors to its checker.
function invalid(node) {
  const modifiers = (node.modifiers ?? []).map((modifier) => modifier.kind);
  if (name.endsWith(".js") && (ts.isTypeNode(node) || modifiers.some((kind) => typeScriptOnly.has(kind)))) return true;
  const plain = modifiers.filter((kind) => kind !== K.Decorator);
  if (new Set(plain).size !== plain.length) return true;
  if (modifiers.includes(K.Decorator) && !ts.isClassLike(node) && !ts.isClassElement(node) && !ts.isParameter(node)) return true;
  if (ts.isThrowStatement(node) && node.expression.kind === K.Identifier && !node.expression.escapedText) return true;
  if (ts.isVariableDeclarationList(node) && node.declarations.hasTrailingComma) return true;
  return ts.forEachChild(node, (child) => (invalid(child) ? true : undefined)) ?? false;
}

const logical = new Set([K.AmpersandAmpersandToken, K.BarBarToken, K.QuestionQuestionToken]);

function write(node, out) {
  node = bare(node);
  const kind = node.kind;
  if (kind === K.EmptyStatement && node.parent && (ts.isBlock(node.parent) || ts.isSourceFile(node.parent) || ts.isCaseOrDefaultClause(node.parent) || ts.isModuleBlock(node.parent))) return;
  if (kind === K.SemicolonClassElement) return;
  if (kind === K.BinaryExpression && logical.has(node.operatorToken.kind)) {
    out.push("(logical", node.operatorToken.kind);
    operands(node, node.operatorToken.kind, out);
    out.push(")");
    return;
  }
  if ((kind === K.UnionType || kind === K.IntersectionType)) {
    if (node.types.length === 1) return write(node.types[0], out);
    out.push("(types", kind);
    types(node, kind, out);
    out.push(")");
    return;
  }
  out.push("(" + (key(node) && (kind === K.StringLiteral || kind === K.NumericLiteral) ? K.Identifier : kind));
  if (kind === K.StringLiteral && node.parent?.kind === K.ExpressionStatement) out.push(node.getText().slice(1, -1));
  else if (kind === K.NumericLiteral && !key(node)) out.push(String(Number(node.text.replace(/_/g, ""))));
  else if (kind === K.RegularExpressionLiteral) {
    const end = node.text.lastIndexOf("/");
    out.push(node.text.slice(0, end + 1), [...node.text.slice(end + 1)].sort().join(""));
  } else if (node.rawText !== undefined) out.push(JSON.stringify(node.rawText));
  else if (typeof node.text === "string" && kind !== K.SourceFile) out.push(JSON.stringify(node.text.normalize("NFC")));
  for (const property of ["operator", "token", "keywordToken", "isTypeOnly", "isTypeOf", "isExportEquals"])
    if (node[property] !== undefined) out.push(property, node[property]);
  if (kind === K.VariableDeclarationList) out.push(node.flags & ts.NodeFlags.BlockScoped);
  if (kind === K.ModuleDeclaration) out.push(node.flags & ts.NodeFlags.Namespace);
  if (kind === K.JsxElement || kind === K.JsxFragment) {
    write(node.openingElement ?? node.openingFragment, out);
    jsxChildren(node.children, out);
    write(node.closingElement ?? node.closingFragment, out);
  } else
    ts.forEachChild(
      node,
      (child) => write(child, out),
      (children) => {
        if (!children.length) return;
        out.push("[");
        children.forEach((child) => write(child, out));
        out.push("]");
      },
    );
  out.push(")");
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const file = ts.createSourceFile(name, JSON.parse(line), ts.ScriptTarget.Latest, true);
  if (file.parseDiagnostics.length || invalid(file)) return console.log("invalid");
  const out = [];
  write(file, out);
  console.log(createHash("sha256").update(out.join(" ")).digest("hex").slice(0, 24));
});
