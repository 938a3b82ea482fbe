"""The command blocks of a Markdown document, and the comparison of their output with the block that shows it."""
import dataclasses
import datetime
import re

COMMENT = re.compile(r"\s*<!-- (not run|status|setup|cleanup|file|Ctrl-C): (.*) -->$")
FENCE = re.compile(r"(\s*)```(\S*)$")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)|\b\d\d:\d\d:\d\d\b")
# Control characters, such as GS in GS1 data, which a terminal does not show.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
# Durations, but not the digits of a code: a number with a unit.
DURATION = re.compile(r"\b\d+(\.\d+)? (ms|s|seconds?|minutes?)\b")


class Mistake(Exception):
    """A document that cannot be run: a wrong comment, or a block without an end."""


@dataclasses.dataclass
class Block:
    """A block of commands, or a file if it has a name."""
    line: int
    text: str
    shown: str | None = None
    reason: str = ""
    file: str = ""
    setup: list[str] = dataclasses.field(default_factory=list)
    cleanup: list[str] = dataclasses.field(default_factory=list)
    status: int = 0
    interrupt: float = 0


def fenced(lines, index):
    """Returns the language and text of the fenced block at an index, and the index behind it; `None` if there is none."""
    fence = FENCE.match(lines[index]) if index < len(lines) else None
    if not fence:
        return None
    for end in range(index + 1, len(lines)):
        if lines[end].strip() == "```":
            indent = len(fence[1])
            return fence[2], "".join(line[indent:] + "\n" for line in lines[index + 1:end]), end + 1
    raise Mistake(f"line {index + 1}: the block has no end")


def commands(language, text):
    """Returns the commands of a block and the output that it shows itself; `None` if it is not a block of commands."""
    if language == "sh":
        return text, None
    if language in ("", "bash", "shell", "shell-session"):
        raise Mistake(f"a block has the language \"{language}\"; name sh, console, text or another")
    if language not in ("console", "text") or not re.search(r"^\$ ", text, re.M):
        return None
    lines = text.splitlines(keepends=True)
    typed = [line[2:] for line in lines if line.startswith(("$ ", "> "))]
    printed = [line for line in lines if not line.startswith(("$ ", "> "))]
    return "".join(typed), "".join(printed) or None


def note(block, comment, line):
    kind, text = comment[1], comment[2].strip()
    number = re.match(r"(\d+)(?: s)?(?=[,:]|$)", text)
    if not text or kind in ("status", "Ctrl-C") and not number:
        raise Mistake(f"line {line}: the comment \"{kind}\" lacks a reason or a number")
    if kind == "not run":
        block.reason = text
    elif kind == "file":
        block.file = text
    elif kind == "setup":
        block.setup.append(text)
    elif kind == "cleanup":
        block.cleanup.append(text)
    elif kind == "status":
        block.status = int(number[1])
    else:
        block.interrupt = int(number[1])


def blocks(document):
    """Returns the blocks of a document in order."""
    lines, index, found = document.split("\n"), 0, []
    while index < len(lines):
        block, first = Block(index + 1, ""), index
        while index < len(lines) and (comment := COMMENT.match(lines[index])):
            note(block, comment, index + 1)
            index += 1
        fence = fenced(lines, index)
        if fence is None:
            if index > first:
                raise Mistake(f"line {first + 1}: the comment stands before no block")
            index += 1
            continue
        language, text, after = fence
        typed = commands(language, text)
        if typed is None:
            if index > first and not block.file:
                raise Mistake(f"line {first + 1}: the comment stands before a block without commands")
            block.text = text
        else:
            if block.file:
                raise Mistake(f"line {first + 1}: the block has commands, so it cannot be a file")
            block.text, block.shown = typed
            while after < len(lines) and not lines[after].strip():
                after += 1
            output = fenced(lines, after)
            if language == "sh" and output and output[0] in ("text", "json") and commands(*output[:2]) is None:
                block.shown, after = output[1], output[2]
        block.line = index + 1
        if typed or block.file:
            found.append(block)
        index = after
    return found


def written(line):
    """Returns a line with times and durations replaced; of a table of decode-image its column of milliseconds too."""
    line = DURATION.sub("<duration>", TIME.sub("<time>", CONTROL.sub("", line).rstrip()))
    return re.sub(r"^(PICTURE +FORMAT|Samples/\S+ +\S+) +(MS|\d+)  ", r"\1 <ms>  ", line)


def same(shown, printed, home):
    """Indicates whether a shown line is a printed one. A shown date may be any if the printed one is today's."""
    now = datetime.datetime.now(datetime.timezone.utc)
    today = {(now - datetime.timedelta(hours=hours)).strftime("%Y-%m-%d") for hours in (0, 1)}
    shown, printed = written(shown), written(printed.replace(home, "~"))
    dates = DATE.findall(shown), DATE.findall(printed)
    if len(dates[0]) != len(dates[1]) or any(a != b and b not in today for a, b in zip(*dates)):
        return False
    return DATE.sub("<date>", shown) == DATE.sub("<date>", printed)


def matches(shown, printed, home):
    """Indicates whether the shown output is the printed one; a line "..." stands for any lines."""
    # The lengths of the beginning of `printed` that the shown lines so far can be.
    lengths = {0}
    shown, printed = shown.rstrip("\n").split("\n"), printed.rstrip("\n").split("\n")
    for line in shown:
        if line.strip() == "...":
            lengths = set(range(min(lengths), len(printed) + 1)) if lengths else set()
        else:
            lengths = {at + 1 for at in lengths if at < len(printed) and same(line, printed[at], home)}
    return len(printed) in lengths
