"""Capture: a new memory about code, through the write gate (design section 5).

Every cited path and symbol must resolve to exactly one thing; a claim that was rejected before is refused; a claim close to
a known one is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from memory_lsp.core.content import address_in, secret_in
from memory_lsp.core.model import Citation, Event, FileEdit, Memory, Plan, Refusal, Status, TextEdit
from memory_lsp.core.placeholders import find_placeholders, is_filled, placeholder
from memory_lsp.core.predicates import predicate_in, read_predicate
from memory_lsp.core.sources import Sources
from memory_lsp.dialects import DIALECTS
from memory_lsp.dialects.change import Draft
from memory_lsp.dialects.names import new_id
from memory_lsp.operations.actors import refuse_program, refuse_unknown
from memory_lsp.operations.look import look
from memory_lsp.operations.narrow import tie_to_symbol
from memory_lsp.operations.tombstones import Tombstone, buried, normalised

SCOPES = ("session", "personal", "repo", "org", "public")
NEAR = 84
"""Two claims whose words are alike to this degree (0 to 100, rapidfuzz's token sort ratio) are told as near duplicates."""


@dataclass(frozen=True, slots=True)
class StoreView:
    """The store that gets the record: its dialect, and its folder relative to the root."""

    dialect: str
    path: str


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """What is to be remembered. ``context`` holds facets by name (``why``, ``risk_if_forgotten``, ...).

    ``form``: an empty title or statement becomes a placeholder that a person fills in; otherwise it is refused.
    ``again``: a person takes up a claim that was rejected before.
    """

    title: str
    statement: str
    citations: tuple[Citation, ...]
    type: str = "decision"
    context: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    scope: str = "repo"
    supersedes: tuple[str, ...] = ()
    form: bool = False
    again: bool = False


def choose_store(stores: Iterable[StoreView], wanted: str = "") -> StoreView | Refusal:
    """The store that a capture goes to: the one that ``wanted`` names (a path or a dialect), else the only one."""
    known = tuple(stores)
    name = wanted.strip().replace("\\", "/").rstrip("/").removeprefix("./")
    chosen = [store for store in known if name in (store.path, store.dialect)] if name else known
    if len(chosen) == 1:
        return chosen[0]
    paths = tuple(store.path for store in known)
    if not known:
        return Refusal("there is no store of memories here; `memory-lsp init` starts one")
    if name:
        return Refusal(f"there is no store `{name}` here: name one of {', '.join(paths)}", paths)
    return Refusal(f"there is more than one store here: name one of {', '.join(paths)} with --store", paths)


def capture(
    request: CaptureRequest,
    sources: Sources,
    store: StoreView,
    *,
    by: str,
    at: str,
    exists: Callable[[str], bool],
    tombstones: Iterable[Tombstone] = (),
    memories: Iterable[Memory] = (),
) -> Plan | Refusal:
    """The plan that makes the record; its id is in the plan's event.

    A person's capture is approved at once, a program's waits for review. ``exists`` tells whether a root-relative path is
    taken, ``at`` is ISO 8601 in UTC with milliseconds.
    """
    dialect = DIALECTS.get(store.dialect)
    if dialect is None:
        return Refusal(f"{store.path}: records of the dialect {store.dialect} cannot be written")
    request = _as_form(request) if request.form else request
    refusal = refuse_unknown(by) or _refuse_incomplete(request)
    if refusal:
        return refusal
    seen = _look_at_all(request.citations, sources)
    if isinstance(seen, Refusal):
        return seen
    known = tuple(memories)
    grave = buried(request.statement, seen, tombstones)
    if grave is not None:
        told = f"this claim was rejected before ({grave.memory}, {grave.at}): {grave.reason or 'no reason is recorded'}"
        if not request.again:
            return Refusal(f"{told.removesuffix('.')}; a person who knows better captures it with --again")
        refusal = refuse_program(by, "take up the rejected claim of", grave.memory)
        if refusal:
            return refusal
    twin = next((memory for memory in known if _same(memory, request.statement, seen)), None)
    if twin is not None and not request.supersedes:
        return Refusal(f"not captured: {twin.id} says the same about the same code ({twin.path})", (twin.id,))
    draft = Draft(
        id=new_id(),
        title=" ".join(request.title.split()),
        statement=request.statement.strip(),
        type=request.type.strip(),
        citations=seen,
        author=by,
        at=at,
        status=Status.APPROVED if by.startswith("human:") else Status.PENDING,
        scope=request.scope,
        tags=request.tags,
        context={facet: text.strip() for facet, text in request.context.items() if text.strip()},
        supersedes=request.supersedes,
    )
    path, text = dialect.create(draft, store.path, exists)
    problems = dialect.parse(path, text).problems
    if problems:
        return Refusal(f"not captured: {problems[0].message}")
    reasons = [f"supersedes {', '.join(request.supersedes)}"] if request.supersedes else []
    if grave is not None:
        reasons.append(f"again, rejected before as {grave.memory}")
    reason = "; ".join(reasons)
    return Plan(
        summary=f"Capture {draft.id} in {path}"
        + ("" if draft.status is Status.APPROVED else "; it waits for approval"),
        edits=(FileEdit(path, None, (TextEdit(0, 0, text),)),),
        events=(Event("capture", draft.id, reason),),
        notes=tuple(_near_duplicates(request, known)),
    )


def _as_form(request: CaptureRequest) -> CaptureRequest:
    return replace(
        request,
        title=request.title if request.title.strip() else placeholder("title"),
        statement=request.statement if request.statement.strip() else placeholder("statement"),
    )


def _refuse_incomplete(request: CaptureRequest) -> Refusal | None:
    for name, text in (("title", request.title), ("statement", request.statement), ("type", request.type)):
        left = find_placeholders(text)
        if left and not request.form:
            span = left[0][1]
            return Refusal(
                f"a memory needs a {name} without the placeholder `{text[span.start : span.end]}`: "
                "write what it stands for, or leave it out"
            )
        if text.strip() and not left and not is_filled(text):
            return Refusal(f"a memory needs a {name} that says something: `{text.strip()[:40]}` does not")
        if not text.strip():
            return Refusal(f"a memory needs a {name}: give it with --{name}")
    if not request.citations:
        return Refusal("a memory is about code: cite at least one place with --cite PATH or PATH#SYMBOL")
    for line in filter(None, map(predicate_in, request.context.get("stale_when", "").splitlines())):
        read = read_predicate(line)
        if isinstance(read, str):
            return Refusal(
                f"not captured: stale when `{line}`: {read}; correct it, or begin the line with another word if it is prose"
            )
    for name, text in (("title", request.title), ("statement", request.statement), *request.context.items()):
        if secret_in(text):
            return Refusal(f"not captured: the {name} holds a credential; write what it is for instead, and change it")
        if address_in(text):
            return Refusal(f"not captured: the {name} holds an e-mail address; write the person's role instead")
    if request.scope not in SCOPES:
        return Refusal(f"the scope `{request.scope}` is not known: it is one of {', '.join(SCOPES)}", SCOPES)
    return None


def _look_at_all(citations: tuple[Citation, ...], sources: Sources) -> tuple[Citation, ...] | Refusal:
    seen: dict[str, Citation] = {}
    for citation in citations:
        tied = tie_to_symbol(citation, sources)
        found = tied if isinstance(tied, Refusal) else look(tied, sources)
        if isinstance(found, Refusal):
            return Refusal(f"not captured: {found.message}", found.candidates)
        if seen.setdefault(found.text, found).excerpt != found.excerpt:
            return Refusal(
                f"not captured: {found.text} is cited twice, by different lines: cite one range of lines, or capture two memories"
            )
    return tuple(seen.values())


def _same(memory: Memory, statement: str, cited: tuple[Citation, ...]) -> bool:
    """Whether a live memory makes this very claim about this very code: a capture that was sent twice."""
    if memory.status not in (Status.APPROVED, Status.PENDING) or find_placeholders(statement):
        return False
    places = {(citation.text, citation.excerpt) for citation in cited}
    return (
        " ".join(memory.statement.split()) == " ".join(statement.split())
        and {(citation.text, citation.excerpt) for citation in memory.citations} == places
    )


def _near_duplicates(request: CaptureRequest, memories: tuple[Memory, ...]) -> Iterable[str]:
    if find_placeholders(request.statement):
        return
    from rapidfuzz import fuzz, process

    live = [memory for memory in memories if memory.status in (Status.APPROVED, Status.PENDING)]
    claims = [normalised(memory.statement) for memory in live]
    wanted = normalised(request.statement)
    for _, score, index in process.extract(wanted, claims, scorer=fuzz.token_sort_ratio, score_cutoff=NEAR, limit=3):
        memory = live[index]
        alike = "says the same" if score == 100 else "says nearly the same"
        yield f"{memory.id} {alike}: {memory.title or memory.statement} ({memory.path}); supersede it if this replaces it"
