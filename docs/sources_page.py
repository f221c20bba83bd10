"""Makes docs/sources.md from src/ponder/sources/statements.toml.

python docs/sources_page.py
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from ponder.sources.statements import STATES, Map, Source, Statement, read_map

PAGE = Path(__file__).with_name("sources.md")
HEAD = """# What the sources say, and where it is

Five sources on game-tree search, statement by statement, in our words: where it stands there,
whether Ponder has it, the command that shows it, and what differs. `ponder sources WORD...`
searches this page, and [The lectures, step by step](lectures.md) goes through the same sources with
what the commands print.

Made by `python docs/sources_page.py` from `src/ponder/sources/statements.toml`. The tests parse
every command, find every name and page, run what takes below a second, and compare verdicts with
[the lab's table](lab/table.md), which are those of all five seeds. What takes longer is run by
`python benchmarks/agreement/sources.py`, which keeps the output in
[sources-runs.jsonl](sources-runs.jsonl).

- **exact**: what the source describes is here;
- **partly**: something differs, and it is said what;
- **absent**: not here;
- **not software**: nothing that a program could do or show.
"""


def page(everything: Map) -> str:
    """The whole page."""
    return "\n".join([HEAD, counts(everything), *sections(everything)])


def counts(everything: Map) -> str:
    lines = ["| source | statements | " + " | ".join(STATES) + " |"]
    lines.append("|---|" + "---:|" * (1 + len(STATES)))
    rows = [(f"[{s.title}](#{anchor(s)})", s.key) for s in everything.sources.values()]
    for name, key in [*rows, ("all", "")]:
        states = [s.state for s in everything.statements if key in ("", s.source)]
        numbers = [len(states), *(states.count(state) for state in STATES)]
        lines.append(f"| {name} | " + " | ".join(map(str, numbers)) + " |")
    return "\n".join(lines) + "\n"


def sections(everything: Map) -> list[str]:
    lines: list[str] = []
    last = ""
    for source, heading, statements in everything.sections():
        if source.key != last:
            last = source.key
            lines += [f"## {title(source)}", "", f"{source.by[0].upper()}{source.by[1:]}.", ""]
        lines += [f"### {heading}", ""]
        for statement in statements:
            lines += entry(statement)
    return lines


def title(source: Source) -> str:
    return f"{source.key}: {source.title}"


def anchor(source: Source) -> str:
    kept = re.sub(r"[^\w\- ]", "", title(source).lower())
    return kept.replace(" ", "-")


def entry(s: Statement) -> list[str]:
    plural = "" if s.line.isdecimal() else "s"
    lines = [f"**{s.number}** (line{plural} {s.line}). {s.statement}", f"*{s.state}*"]
    if s.reason:
        lines[-1] += f": {s.reason}"
    if s.where:
        lines.append("See " + ", ".join(map(link, s.where)) + ".")
    lines.append("")
    if s.command:
        lines += ["```", s.command, "```", ""]
    return lines


def link(where: str) -> str:
    """A page as a link, a verdict with a link to its page, a name as code."""
    verdict = re.fullmatch(r"lab (\w+): ([\w-]+) (.+)", where)
    if verdict:
        name, clause, words = verdict.groups()
        return f"[lab {name}](lab/{name}.md): *{clause}* {words}"
    if where.startswith("ponder."):
        return f"`{where}`"
    file, mark, section = where.partition("#")
    path = posixpath.relpath(file, "docs")
    name = posixpath.basename(file)
    words = f"{name}: {section.replace('-', ' ')}" if section else name
    return f"[{words}]({path}{mark}{section})"


if __name__ == "__main__":
    PAGE.write_text(page(read_map()), encoding="utf-8")
