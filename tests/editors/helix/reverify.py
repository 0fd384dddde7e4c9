"""On Helix's real screen: the finding in the text, the hover, the action menu, the evidence, and the finding gone."""

FINDING = r"Gateway\.charge changed"


def run(helix):
    helix.sees("the file is shown", "The only module that talks")
    search(helix, "/", r"range\(MAX_ATTEMPTS")
    helix.keys("a")
    insert(helix, " + 2", r"(?s)MAX_ATTEMPTS \+ 2.* INS ")
    helix.sees("the finding is shown in the text", FINDING)
    write(helix)
    helix.until("the code is saved", lambda: "MAX_ATTEMPTS + 2)" in (helix.read("payments/gateway.py") or ""))

    search(helix, "?", "def charge")
    helix.keys("Space", "k")
    helix.sees("the hover tells the claim (Space k)", "at most three times")
    helix.keys("Escape")
    helix.gone("the hover closes", "at most three times")

    helix.keys("Space", "d")
    helix.sees("the finding is in the picker (Space d)", r"memory-changed")
    helix.keys("Escape")
    helix.gone("the picker closes", r"memory-changed +Gateway")

    helix.keys("Space", "a")
    screen = helix.sees("the action menu (Space a)", "Still true, re-verify:")
    choose(helix, screen, "Open memory:", "Still true, re-verify:")
    helix.gone("an action is chosen", "Still true, re-verify:")

    helix.keys("g", "n")
    helix.sees("the record is open, with a form to fill in (gn)", "<evidence:")
    search(helix, "/", "<evidence:[^>]*>")
    helix.keys("c")
    insert(helix, "read the log of 12 June", r"(?s)12 June.* INS ")
    write(helix)
    helix.until("the record is saved", lambda: "12 June" in records(helix))
    helix.gone("the record has no finding", FINDING)
    helix.keys("g", "p")
    helix.sees("back in the code (gp)", "def charge")
    helix.gone("nor has the code", FINDING)


def search(helix, key, pattern):
    """Select the next match. The search's prompt is gone once the pattern is selected."""
    helix.type(key + pattern)
    helix.keys("Enter")


def choose(helix, screen, first, wanted):
    """Go down from the first entry of a menu to the wanted one, and take it."""
    lines = screen.splitlines()
    top, place = (next(n for n, line in enumerate(lines) if f" {title}" in line) for title in (first, wanted))
    helix.keys(*["Down"] * (place - top), "Enter")


def insert(helix, text, shown):
    """Type in insert mode and leave it, waiting for both: a key too soon after Escape would count as one with Alt."""
    helix.type(text)
    helix.sees("the text is typed", shown)
    helix.keys("Escape")
    helix.sees("normal mode", " NOR ")


def write(helix):
    helix.type(":write")
    helix.keys("Enter")


def records(helix):
    """The text of all records."""
    names = [path.relative_to(helix.workspace) for path in sorted((helix.workspace / ".memory").glob("*.md"))]
    return "".join(helix.read(name) or "" for name in names)
