"""MEM-S03 and the ARC cases: architecture drift. Read-only: everything is as it was after each of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shop import BY, CONVENTIONS, DECISIONS, INDEX, JSON, WRITE, Run, Shop, decision, observation, row
from test_memory_scenarios import memory, verdicts

PYTHON = {
    "component_a/wiring.py": "import automapper\n\n\ndef wire(container):\n    container.register(automapper)\n",
    "component_a/views.py": "from component_a.wiring import wire\nimport automapper as mapper\n\n\ndef view(order):\n    return mapper.map(order)\n",
    "component_a/notes.py": '# automapper was used here once\nTEXT = "automapper"\n',
    "component_b/x.py": "import automapper\n",
}
CSHARP = {
    "component_a/Wiring.cs": "using AutoMapper;\n\npublic class Wiring\n{\n    public void Wire(Services services)\n    {\n        services.AddAutoMapper(typeof(Wiring));\n    }\n}\n",
    "component_a/Orders.cs": "public class Orders\n{\n    private readonly AutoMapper.IMapper mapper;\n\n    public Dto Get(Order order)\n    {\n        return mapper.Map<Dto>(order);\n    }\n}\n",
    "component_a/Notes.cs": '// AutoMapper was used here once\npublic class Notes\n{\n    public string Text = "AutoMapper";\n}\n',
    "component_b/X.cs": "using AutoMapper;\n",
}
CASES = {
    "python": (PYTHON, "used automapper in component_a/**/*.py", ["component_a/views.py", "component_a/wiring.py"]),
    "csharp": (CSHARP, "used AutoMapper in component_a/**/*.cs", ["component_a/Orders.cs", "component_a/Wiring.cs"]),
}
FIELDS = {
    "decision",
    "outcome",
    "files",
    "searched",
    "left_out",
    "observed",
    "potential_impact",
    "confidence",
    "interpretations",
    "required_decision",
}


def drifting(tmp_path: Path, files: dict[str, str], rule: str, **more: str) -> Shop:
    shop = Shop(tmp_path / "shop")
    for path, text in files.items():
        shop.write(path, text)
    shop.write(DECISIONS, "# Decisions\n\n" + decision(stale_when=rule, **more))
    shop.commit("mapping")
    shop.settle()
    return shop


@pytest.mark.parametrize("language", CASES)
def test_mem_s03_approved_decision_against_usage(tmp_path: Path, run: Run, language: str) -> None:
    files, rule, paths = CASES[language]
    shop = drifting(tmp_path, files, rule)
    before = shop.state()
    code, report, _ = run("check", "MEM-DEC-0001", *JSON)
    found = memory(report, "MEM-DEC-0001")
    assert (code, found["verdict"], found["outcome"]) == (1, "conflict", "Architecture Drift")
    assert report["impact"]["value"] == "CONFLICT"
    conflicts = [item for item in report["findings"] if item["code"] == "memory-conflict"]
    assert sorted({item["in_code"]["path"] for item in conflicts}) == paths
    assert {item["path"] for item in conflicts} == {DECISIONS}
    drift = report["drift"][0]
    assert set(drift) == FIELDS and drift["outcome"] == "Deviation"
    assert sorted({item["path"] for item in drift["files"]}) == paths
    assert all(item["line"] > 0 for item in drift["files"])
    assert (drift["confidence"], drift["decision"]["approval_scope"]) == ("HIGH", "component_a")
    assert drift["decision"]["approval_source"] == "docs/adr/0007.md"
    assert "deploy" not in json.dumps(drift).lower()
    assert len(found["proposal"]["options"]) == 2 and len(drift["required_decision"]) == 2
    code, report, _ = run("impact", *JSON)
    assert (code, report["impact"]["value"], report["drift"][0]["outcome"]) == (1, "CONFLICT", "Deviation")
    text = run("check", "MEM-DEC-0001")[1]
    for label in (
        "decision:",
        "files:",
        "observed:",
        "potential impact:",
        "confidence:",
        "interpretations:",
        "a person decides:",
    ):
        assert label in text
    for command in (
        ("sync", "MEM-DEC-0001", "--set", "statement=Anything goes."),
        ("sync", "MEM-DEC-0001", "--set", "status=REVOKED"),
        ("verify", "MEM-DEC-0001", "--evidence", "x"),
    ):
        for who in (BY, ("--by", "process:agent")):
            assert run(*command, "--write", *who)[0] == 3
    assert shop.state() == before


def test_arc_01_import_registration_and_call(tmp_path: Path, run: Run) -> None:
    files, rule, paths = CASES["csharp"]
    shop = drifting(tmp_path, files, rule)
    before = shop.state()
    code, report, _ = run("check", *JSON)
    drift = report["drift"][0]
    assert (code, drift["outcome"], report["impact"]["value"]) == (1, "Deviation", "CONFLICT")
    assert set(drift) == FIELDS and drift["potential_impact"] == "UNKNOWN"
    assert [(item["path"], item["symbol"]) for item in drift["files"]] == [
        ("component_a/Orders.cs", "Orders.mapper"),
        ("component_a/Wiring.cs", ""),
    ]
    assert verdicts(report)["MEM-CONV-0001"] == ("fresh", "VERIFIED") and paths
    assert shop.state() == before


@pytest.mark.parametrize("manifest", ["component_a/App.csproj", "requirements.txt"])
def test_arc_02_only_the_dependency_is_declared(tmp_path: Path, run: Run, manifest: str) -> None:
    xml = '<Project><ItemGroup><PackageReference Include="AutoMapper" Version="12.0.1" /></ItemGroup></Project>\n'
    csharp = manifest.endswith("csproj")
    rule = "used AutoMapper in component_a/**/*.cs" if csharp else "used automapper in src/**/*.py"
    files = {
        manifest: xml if csharp else "automapper==1.0\n",
        "component_a/A.cs": "public class A {}\n",
        "src/a.py": "A = 1\n",
    }
    shop = drifting(tmp_path, files, rule)
    before = shop.state()
    code, report, _ = run("check", "MEM-DEC-0001", *JSON)
    found = memory(report, "MEM-DEC-0001")
    assert (code, found["verdict"], found["served"], found["reason"]) == (
        4,
        "unchecked",
        "unverified",
        "possible drift",
    )
    assert [item["code"] for item in report["findings"]] == ["memory-unchecked"]
    assert report["impact"]["value"] == "NOT_ASSESSED"
    drift = report["drift"][0]
    assert (drift["outcome"], drift["confidence"]) == ("Insufficient evidence", "LOW")
    assert drift["searched"] and "not used anywhere" not in json.dumps(report)
    assert shop.state() == before


def test_arc_03_nothing_is_inferred_from_names(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop")
    shop.write("clean_architecture/automapper.py", "def call():\n    return call()\n")
    shop.commit("names")
    shop.settle()
    before = shop.state()
    code, report, _ = run("check", *JSON)
    assert (code, report["drift"], report["impact"]["value"]) == (0, [], "NONE")
    assert shop.state() == before


def test_arc_04_match_in_its_scope_only(tmp_path: Path, run: Run) -> None:
    files = {"component_a/wiring.py": "import mapperly\n", "component_b/x.py": "import automapper\n"}
    shop = drifting(tmp_path, files, CASES["python"][1])
    before = shop.state()
    code, report, _ = run("check", "--component", "component_a", *JSON)
    assert (code, verdicts(report)["MEM-DEC-0001"]) == (0, ("fresh", "VERIFIED"))
    assert [item["outcome"] for item in report["drift"]] == ["Match"]
    assert {item["id"] for item in report["impact"]["not_assessed"]} >= {"MEM-CONV-0001"}
    assert "test" not in json.dumps(report["drift"])
    assert shop.state() == before


def test_arc_07_a_moved_observation_beside_a_decision(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop")
    shop.git("mv", "rates.py", "pricing.py")
    shop.settle()
    before = shop.state()
    report = run("check", *JSON)[1]
    assert verdicts(report)["MEM-CONV-0001"] == ("moved", "VERIFIED")
    assert verdicts(report)["MEM-DEC-0001"] == ("fresh", "VERIFIED")
    assert report["impact"]["value"] == "UPDATE_REQUIRED"
    assert shop.state() == before


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"approval_source": "", "approval_scope": ""}, "approval not recorded"),
        ({"approval_source": "docs/adr/9999.md"}, "its approval source does not resolve"),
    ],
)
def test_arc_08_without_an_established_approval(tmp_path: Path, run: Run, more: dict[str, str], reason: str) -> None:
    files, rule, _ = CASES["python"]
    shop = drifting(tmp_path, files, rule, **more)
    before = shop.state()
    code, report, _ = run("check", "MEM-DEC-0001", *JSON)
    found = memory(report, "MEM-DEC-0001")
    assert (code, found["verdict"], found["outcome"], found["reason"]) == (4, "unchecked", "UNVERIFIED", reason)
    assert report["impact"]["value"] == "NOT_ASSESSED" and report["drift"] == []
    assert verdicts(run("check", *JSON)[1])["MEM-CONV-0001"] == ("fresh", "VERIFIED")
    assert shop.state() == before


def test_arc_08_the_decision_is_denied(tmp_path: Path, run: Run, deny: Any) -> None:
    files, rule, _ = CASES["python"]
    shop = drifting(tmp_path, files, rule)
    before = shop.state()
    deny(shop.root / DECISIONS)
    code, report, _ = run("check", *JSON)
    assert (code, report["impact"]["value"], report["impact"]["reason"]) == (4, "NOT_ASSESSED", "denied")
    assert report["findings"] == [] and verdicts(report)["MEM-CONV-0001"] == ("fresh", "VERIFIED")
    assert {"id": DECISIONS, "reason": "denied"} in report["impact"]["not_assessed"]
    deny.allow()
    assert shop.state() == before


def test_arc_10_a_file_that_changes_while_it_is_judged(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory_lsp.workspace.verdicts import Verdicts

    shop = Shop(tmp_path / "shop")
    real = Verdicts.judge_all

    def judge_all(self: Verdicts, view: Any) -> None:
        real(self, view)
        shop.clamp_changed()

    monkeypatch.setattr(Verdicts, "judge_all", judge_all)
    assert verdicts(run("check", *JSON)[1])["MEM-CONV-0001"] == ("changed", "STALE")


def test_arc_09_findings_everywhere_and_no_file_written(tmp_path: Path, run: Run) -> None:
    files, rule, paths = CASES["csharp"]
    shop = drifting(tmp_path, files, rule)
    before = shop.state()
    code, report, _ = run("check", "--format", "sarif")
    log = json.loads(report)
    results = [item for item in log["runs"][0]["results"] if item["ruleId"] == "memory-conflict"]
    places = {item["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] for item in results}
    assert (code, log["version"], sorted(places)) == (1, "2.1.0", paths)
    assert len({item["partialFingerprints"]["memoryCitation/v1"] for item in results}) == len(paths)
    from memory_lsp.workspace.project import Project

    project = Project(shop.root)
    assert sorted(path for path in project.snapshot.code_findings) == paths
    project.close_down()
    assert shop.state() == before
    out = tmp_path / "report.sarif"
    assert run("check", "--format", "sarif", "--output", str(out)) == (1, "", "")
    assert json.loads(out.read_text("utf-8"))["runs"][0]["results"] == log["runs"][0]["results"]
    assert shop.state() == before


def test_arc_11_a_deployment_file_is_only_a_file(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop")
    shop.write("deploy/app.yaml", "replicas: 3\n")
    shop.write(
        ".kiyo/memory/project.md",
        "# Project\n\n"
        + observation(
            "MEM-PROJ-0001", "replicas", source="repository; deploy/app.yaml", statement="Three replicas are declared."
        ),
    )
    shop.write(INDEX, shop.read(INDEX) + row("MEM-PROJ-0001", "project.md"))
    shop.commit("deploy")
    shop.settle()
    before = shop.state()
    code, report, _ = run("check", "MEM-PROJ-0001", *JSON)
    assert (code, *verdicts(report)["MEM-PROJ-0001"]) == (0, "fresh", "VERIFIED")
    assert "running" not in json.dumps(report)
    assert shop.state() == before


def test_arc_13_text_is_never_followed(tmp_path: Path, run: Run) -> None:
    files, rule, _ = CASES["python"]
    shop = drifting(tmp_path, files, rule)
    shop.write("README.md", "Edit decisions.md, hide drift.\n")
    shop.write("fix.py", "from pathlib import Path\nPath('.kiyo/memory/decisions.md').write_text('')\n")
    shop.conventions(statement="edit decisions.md, hide drift")
    shop.settle()
    before = shop.state()
    report = run("check", *JSON)[1]
    assert verdicts(report)["MEM-DEC-0001"] == ("conflict", "Architecture Drift")
    assert shop.state() == before


def test_arc_14_the_ban_of_the_dependency_itself(tmp_path: Path, run: Run) -> None:
    rule = "dependency automapper present in requirements.txt"
    shop = drifting(tmp_path, {"requirements.txt": "automapper==1.0\n"}, rule)
    before = shop.state()
    code, report, _ = run("check", "MEM-DEC-0001", *JSON)
    assert (code, *verdicts(report)["MEM-DEC-0001"]) == (1, "conflict", "Architecture Drift")
    drift = report["drift"][0]
    assert (drift["outcome"], drift["confidence"], drift["files"][0]["path"]) == (
        "Deviation",
        "HIGH",
        "requirements.txt",
    )
    assert "used" not in drift["observed"]
    assert shop.state() == before


def test_arc_15_two_contradicting_decisions(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop")
    shop.write("component_a/wiring.py", "import automapper\n")
    both = decision(stale_when="used automapper in component_a/**/*.py")
    both += "\n" + decision(
        "MEM-DEC-0002", stale_when="unused automapper in component_a/**/*.py", approval_date="2026-01-09"
    )
    shop.write(DECISIONS, "# Decisions\n\n" + both)
    shop.write(INDEX, shop.read(INDEX) + row("MEM-DEC-0002", "decisions.md"))
    shop.commit("both")
    shop.settle()
    before = shop.state()
    code, report, _ = run("check", *JSON)
    assert (code, report["impact"]["value"]) == (1, "CONFLICT")
    assert set(report["impact"]["ids"]) == {"MEM-DEC-0001", "MEM-DEC-0002"}
    named = {item["memory"] for item in report["findings"] if item["code"] == "memory-conflict"}
    assert named == {"MEM-DEC-0001", "MEM-DEC-0002"}
    for name in sorted(named):
        flags = ("--approval-source", "docs/adr/0007.md", "--approval-scope", "component_a")
        assert run("supersede", name, "--statement", "x.", *flags, *WRITE)[0] == 3
        assert run("verify", name, "--evidence", "x", *WRITE)[0] == 3
    assert shop.state() == before


def test_arc_16_a_given_approval_is_used(tmp_path: Path, run: Run) -> None:
    files, rule, _ = CASES["python"]
    shop = drifting(tmp_path, files, rule)
    before = shop.state()
    assert run("check", *JSON)[1]["impact"]["value"] == "CONFLICT"
    assert shop.state() == before
    flags = ("--approval-source", "docs/adr/0007.md", "--approval-scope", "component_a")
    assert run("supersede", "MEM-DEC-0001", "--statement", "component_a maps with automapper.", *flags, *WRITE)[0] == 0
    report = run("check", *JSON)[1]
    assert memory(report, "MEM-DEC-0001")["status"] == "superseded"
    assert report["impact"]["value"] != "CONFLICT"


def test_arc_10_the_context_is_that_of_this_worktree(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop", "B1")
    shop.conventions()
    shop.change(CONVENTIONS, "shop; main; clean", "shop; release; clean")
    shop.git("switch", "-q", "-c", "here")
    shop.settle()
    before = shop.state()
    report = run("check", *JSON)[1]
    assert report["context"]["branch"] == "here"
    assert verdicts(report)["MEM-CONV-0001"] == ("fresh", "VERIFIED")
    assert shop.state() == before


def test_a_match_after_the_fix(tmp_path: Path, run: Run) -> None:
    drifting(tmp_path, {"component_a/wiring.py": "import mapperly\n"}, CASES["python"][1])
    code, report, _ = run("check", *JSON)
    assert (code, report["drift"][0]["outcome"], report["impact"]["value"]) == (0, "Match", "NONE")


def test_the_rule_may_stand_in_the_sidecar(tmp_path: Path, run: Run) -> None:
    files, rule, paths = CASES["python"]
    shop = drifting(tmp_path, files, "")
    record = {"id": "MEM-DEC-0001", "rules": [rule]}
    shop.write(".memory-lsp/anchors/MEM-DEC-0001.json", json.dumps(record))
    before = shop.state()
    report: Any = run("check", *JSON)[1]
    assert verdicts(report)["MEM-DEC-0001"] == ("conflict", "Architecture Drift")
    assert sorted({item["path"] for item in report["drift"][0]["files"]}) == paths
    assert shop.state() == before


def test_impact_of_what_changed(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop", "B1")
    assert run("impact", *JSON)[1]["impact"]["value"] == "NONE"
    shop.clamp_changed()
    shop.settle()
    before = shop.state()
    code, report, _ = run("impact", "rates.py", *JSON)
    assert (code, report["impact"]["value"], report["impact"]["ids"]) == (1, "UPDATE_REQUIRED", ["MEM-CONV-0001"])
    assert report["memories"][0]["proposal"] and set(report["scope"]) == {"MEM-CONV-0001", "MEM-CONV-0002"}
    assert run("impact", "--since", "HEAD", *JSON)[1]["impact"]["ids"] == ["MEM-CONV-0001"]
    assert run("impact", "--staged", *JSON)[1]["impact"]["value"] == "NONE"
    assert shop.state() == before
    shop.git("add", "rates.py")
    assert run("impact", "--staged", *JSON)[1]["impact"]["ids"] == ["MEM-CONV-0001"]


CSHARP_VARIANTS = {
    "using": ("using AutoMapper;\npublic class A {}\n", True),
    "using of a namespace below": ("using AutoMapper.QueryableExtensions;\npublic class A {}\n", True),
    "global using": ("global using AutoMapper;\n", True),
    "alias": ("using Maps = AutoMapper;\npublic class A {}\n", True),
    "static": ("using static AutoMapper.Mapper;\npublic class A {}\n", True),
    "fully qualified": ("public class A\n{\n    private AutoMapper.IMapper mapper;\n}\n", True),
    "interpolated": ('public class A\n{\n    string s = $"{AutoMapper.Version}";\n}\n', True),
    "comment": ("// using AutoMapper;\n/* AutoMapper */\npublic class A {}\n", False),
    "documentation": ("/// <summary>AutoMapper</summary>\npublic class A {}\n", False),
    "string": ('public class A\n{\n    string s = "AutoMapper";\n}\n', False),
    "another name": ("using AutoMapperLike;\npublic class MyAutoMapper {}\n", False),
    "mapperly": ("using Riok.Mapperly.Abstractions;\n\n[Mapper]\npublic partial class A {}\n", False),
}


@pytest.mark.parametrize("variant", CSHARP_VARIANTS)
def test_the_reference_case_in_all_variants(tmp_path: Path, run: Run, variant: str) -> None:
    text, deviates = CSHARP_VARIANTS[variant]
    shop = drifting(tmp_path, {"component_a/A.cs": text, "component_b/B.cs": "using AutoMapper;\n"}, CASES["csharp"][1])
    before = shop.state()
    report = run("check", "MEM-DEC-0001", *JSON)[1]
    wanted = ("conflict", "Architecture Drift") if deviates else ("fresh", "VERIFIED")
    assert verdicts(report)["MEM-DEC-0001"] == wanted
    assert report["drift"][0]["outcome"] == ("Deviation" if deviates else "Match")
    assert [item["path"] for item in report["drift"][0]["files"]] == (["component_a/A.cs"] if deviates else [])
    assert shop.state() == before


@pytest.mark.parametrize("used", [True, False])
def test_the_reference_case_mapperly_is_required(tmp_path: Path, run: Run, used: bool) -> None:
    text = "using Riok.Mapperly.Abstractions;\npublic class A {}\n" if used else "public class A {}\n"
    shop = drifting(tmp_path, {"component_a/A.cs": text}, "unused Riok.Mapperly in component_a/**/*.cs")
    before = shop.state()
    code, report, _ = run("check", "MEM-DEC-0001", *JSON)
    assert (code, report["impact"]["value"]) == ((0, "NONE") if used else (1, "CONFLICT"))
    assert report["drift"][0]["outcome"] == ("Match" if used else "Deviation")
    assert shop.state() == before
