"""Beside ruff's server in a Helix that asks all servers for a hover (25.07 and newer): memory-lsp's is shown."""


def run(helix):
    helix.sees("the file is shown", "The only module that talks")
    helix.type("/def charge")
    helix.keys("Enter")
    helix.sees("at the cited name", r"def charge")
    helix.until(
        "both servers run", lambda: all(f"{name} <- " in helix.log.read_text() for name in ("ruff", "memory-lsp"))
    )
    helix.keys("Space", "k")
    helix.sees("memory-lsp's hover is shown", "at most three times")
    helix.keys("Escape")
