// Reads one JSON string per line (a Go file), prints one line per file: a hash of its syntax tree without positions,
// comments and parentheses, or "invalid".
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"reflect"
	"strings"
)

var position = reflect.TypeOf(token.NoPos)

// Positions that say something: a call with "...", an alias.
var telling = map[string]bool{"Ellipsis": true, "Assign": true}

func dump(out io.Writer, value reflect.Value) {
	switch value.Kind() {
	case reflect.Interface:
		if value.IsNil() {
			fmt.Fprint(out, "nil ")
			return
		}
		dump(out, value.Elem())
	case reflect.Ptr:
		if value.IsNil() {
			fmt.Fprint(out, "nil ")
			return
		}
		switch node := value.Interface().(type) {
		case *ast.CommentGroup, *ast.Object, *ast.Scope:
			return
		case *ast.ParenExpr:
			dump(out, reflect.ValueOf(node.X))
			return
		case *ast.BasicLit:
			text := node.Value
			if node.Kind == token.INT || node.Kind == token.FLOAT || node.Kind == token.IMAG {
				text = strings.ToLower(text)
			}
			fmt.Fprintf(out, "%d %q ", node.Kind, text)
			return
		}
		dump(out, value.Elem())
	case reflect.Struct:
		kind := value.Type()
		fmt.Fprintf(out, "(%s ", kind.Name())
		for index := 0; index < kind.NumField(); index++ {
			field := kind.Field(index)
			if field.Type == position {
				if telling[field.Name] {
					fmt.Fprintf(out, "%v ", value.Field(index).Int() != 0)
				}
				continue
			}
			if kind.Name() == "File" && field.Name != "Name" && field.Name != "Decls" {
				continue
			}
			dump(out, value.Field(index))
		}
		fmt.Fprint(out, ")")
	case reflect.Slice:
		fmt.Fprint(out, "[")
		for index := 0; index < value.Len(); index++ {
			if statement, ok := value.Index(index).Interface().(ast.Stmt); ok {
				if _, empty := statement.(*ast.EmptyStmt); empty {
					continue
				}
			}
			dump(out, value.Index(index))
		}
		fmt.Fprint(out, "]")
	default:
		fmt.Fprintf(out, "%v ", value.Interface())
	}
}

// The parser leaves it to the type checker that "x.(type)" stands in a type switch only.
func stray(file *ast.File) bool {
	allowed := map[ast.Node]bool{}
	found := false
	ast.Inspect(file, func(node ast.Node) bool {
		switch item := node.(type) {
		case *ast.TypeSwitchStmt:
			ast.Inspect(item.Assign, func(inner ast.Node) bool {
				allowed[inner] = true
				return true
			})
		case *ast.TypeAssertExpr:
			found = found || item.Type == nil && !allowed[item]
		}
		return true
	})
	return found
}

func main() {
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return
		}
		var text string
		if json.Unmarshal(line, &text) != nil {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), "a.go", text, parser.SkipObjectResolution)
		if err != nil {
			fmt.Println("invalid")
			continue
		}
		if stray(file) {
			fmt.Println("invalid")
			continue
		}
		hash := sha256.New()
		dump(hash, reflect.ValueOf(file))
		fmt.Printf("%x\n", hash.Sum(nil)[:12])
	}
}
