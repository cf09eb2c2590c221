"""Files of lines `NAME=value`, as python-dotenv reads them; whatever it cannot read is an error."""

import os
import re
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import Binding, parse_stream

from fogbound.errors import SettingsInvalid

BYTES = 1 << 20
COMMENT = re.compile(r"[ \t]+#[^\r\n]*")


class EnvFile:
    """One file; one that is not there is empty. Errors name file, line and variable, never a value."""

    def __init__(self, file: Path) -> None:
        """Raises SettingsInvalid where it cannot be read, or a line says nothing or what another has said."""
        self.name = file.name
        self._file = file
        self._text = _text(file)
        self.lines = self._named_lines()
        values = dotenv_values(stream=StringIO(self._text))
        self.values: Mapping[str, str] = {name: value or "" for name, value in values.items()}

    def error(self, name: str, words: str) -> SettingsInvalid:
        """What is wrong with a variable of this file."""
        return SettingsInvalid(f"{self.name}, line {self.lines[name]}: {name} {words}")

    def with_values(self, values: Mapping[str, str]) -> str:
        """The text with these variables, each where it stood or at the end; all else as it is."""
        parts = [_replaced(each, values) for each in self._bindings()]
        added = [f"{name}={value}\n" for name, value in values.items() if name not in self.lines]
        text = "".join(parts)
        gap = "\n" if added and text and not text.endswith("\n") else ""
        return text + gap + "".join(added)

    def write(self, text: str) -> None:
        """Put `text` into the file, all at once; a new file is for its owner only. Raises SettingsInvalid."""
        partial = self._file.with_name(f"{self.name}.{os.getpid()}")
        try:
            partial.touch(mode=0o600)
            partial.write_bytes(text.encode())
            partial.replace(self._file)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise SettingsInvalid(f"{self.name} cannot be written: {_reason(error)}") from None

    def _bindings(self) -> Iterator[Binding]:
        yield from parse_stream(StringIO(self._text))

    def _named_lines(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for each in self._bindings():
            line = _first_line(each)
            if each.error or (each.key is not None and each.value is None):
                raise SettingsInvalid(f"{self.name}, line {line}: NAME=value is expected")
            if each.key in found:
                words = f"{each.key} stands in line {found[each.key]} already"
                raise SettingsInvalid(f"{self.name}, line {line}: {words}")
            if each.key is not None:
                found[each.key] = line
        return found


def _text(file: Path) -> str:
    """Windows' line ends and mark of UTF-8 are no part of a value."""
    try:
        content = file.read_bytes() if file.exists() else b""
    except OSError as error:
        raise SettingsInvalid(f"{file.name} cannot be read: {_reason(error)}") from None
    if len(content) > BYTES or b"\0" in content:
        raise SettingsInvalid(f"{file.name} is no text of at most {BYTES} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SettingsInvalid(f"{file.name} is no text in UTF-8") from None


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _first_line(binding: Binding) -> int:
    """The parser counts the empty lines before a line as its own."""
    text = binding.original.string
    return binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")


def _replaced(binding: Binding, values: Mapping[str, str]) -> str:
    text = binding.original.string
    if binding.key is None or binding.key not in values:
        return text
    before = text[: len(text) - len(text.lstrip("\r\n"))]
    end = text[len(text.rstrip("\r\n")) :]
    comment = COMMENT.search(text)
    return f"{before}{binding.key}={values[binding.key]}{comment.group() if comment else ''}{end}"
