"""On Helix's real screen: the finding in the text, the hover, the action menu, the evidence, and the finding gone."""


def run(helix):
    helix.sees("the file is shown", "The only module that talks")
    helix.type("/range\\(MAX_ATTEMPTS")
    helix.keys("Enter")
    helix.keys("Escape", "a")
    helix.type(" + 2")
    helix.keys("Escape")
    helix.sees("the finding is shown in the text", "changed")
    helix.type(":write")
    helix.keys("Enter")
    helix.until("saved", lambda: "MAX_ATTEMPTS + 2)" in (helix.read("payments/gateway.py") or ""))

    helix.type("?def charge")
    helix.keys("Enter", "Escape", "w", "h")
    helix.keys("Space", "k")
    helix.sees("the hover tells the claim (Space k)", "at most three times")
    helix.keys("Escape")

    helix.keys("Space", "a")
    helix.sees("the code action menu (Space a)", "Still true")
    helix.keys("Enter")
    helix.keys("g", "n")
    helix.sees("the record is open, with a form to fill in (gn)", "<evidence:")
    helix.type("/<evidence:[^>]*>")
    helix.keys("Enter", "c")
    helix.type("read the processor's log of 12 June")
    helix.keys("Escape")
    helix.type(":write")
    helix.keys("Enter")
    helix.until("the record is saved", lambda: "12 June" in records(helix))
    helix.keys("g", "p")
    helix.sees("back in the code (gp)", "def charge")
    helix.gone("the finding is gone", "memory-changed|changed since")


def records(helix):
    """The text of all records."""
    names = [path.relative_to(helix.workspace) for path in sorted((helix.workspace / ".memory").glob("*.md"))]
    return "".join(helix.read(name) or "" for name in names)
