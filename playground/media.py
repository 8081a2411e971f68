"""Files that were sent: their bytes, their ids, their sizes."""

import itertools
import mimetypes
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from playground.wire import Json, Upload, bad_request

# Bytes kept in all; the oldest files lose theirs first.
KEPT_BYTES = 256 * 1024 * 1024
MAX_UPLOAD = 50 * 1024 * 1024
MAX_PHOTO = 10 * 1024 * 1024
MAX_DOWNLOAD = 20 * 1024 * 1024


class MediaKind(StrEnum):
    """Kinds of media; the value is the name of the message's field."""

    PHOTO = "photo"
    ANIMATION = "animation"
    DOCUMENT = "document"
    VIDEO = "video"
    AUDIO = "audio"
    VOICE = "voice"


_FOLDERS = {
    MediaKind.PHOTO: "photos",
    MediaKind.ANIMATION: "animations",
    MediaKind.DOCUMENT: "documents",
    MediaKind.VIDEO: "videos",
    MediaKind.AUDIO: "music",
    MediaKind.VOICE: "voice",
}
_PREFIXES = {
    MediaKind.PHOTO: "AgACAgIAAxk",
    MediaKind.ANIMATION: "CgACAgIAAxk",
    MediaKind.DOCUMENT: "BQACAgIAAxk",
    MediaKind.VIDEO: "BAACAgIAAxk",
    MediaKind.AUDIO: "CQACAgIAAxk",
    MediaKind.VOICE: "AwACAgIAAxk",
}


@dataclass(slots=True, eq=False)
class StoredFile:
    """One file of the server. `data` is None when its bytes were dropped to save memory."""

    number: int
    kind: MediaKind
    name: str
    mime: str
    data: bytes | None
    size: int
    width: int
    height: int
    duration: int

    @property
    def file_id(self) -> str:
        """What the bot sends the file again by."""
        return f"{_PREFIXES[self.kind]}{self.number:08d}A"

    @property
    def unique_id(self) -> str:
        """The same for every bot; cannot be sent."""
        return f"AQAD{self.number:08d}"

    @property
    def path(self) -> str:
        """The path that getFile gives."""
        extension = mimetypes.guess_extension(self.mime) if self.kind is MediaKind.PHOTO else None
        extension = (extension or self.name.rpartition(".")[2] or "bin").removeprefix(".")
        return f"{_FOLDERS[self.kind]}/file_{self.number}.{extension}"


@dataclass(frozen=True, slots=True, eq=False)
class Media:
    """The media of a message."""

    file: StoredFile
    has_spoiler: bool = False
    caption_above: bool = False

    @property
    def kind(self) -> MediaKind:
        """The kind of it."""
        return self.file.kind

    def shown(self) -> Json:
        """The fields of a Message that this media fills."""
        file = self.file
        base: Json = {"file_id": file.file_id, "file_unique_id": file.unique_id, "file_size": file.size}
        named = base | {"file_name": file.name, "mime_type": file.mime}
        fields: Json
        match file.kind:
            case MediaKind.PHOTO:
                fields = {"photo": _photo_sizes(file)}
            case MediaKind.DOCUMENT:
                fields = {"document": named}
            case MediaKind.ANIMATION:
                moving = named | {"width": file.width, "height": file.height, "duration": file.duration}
                # "For backward compatibility, when this field is set, the document field will also be set."
                fields = {"animation": moving, "document": named}
            case MediaKind.VIDEO:
                fields = {"video": named | {"width": file.width, "height": file.height, "duration": file.duration}}
            case MediaKind.AUDIO:
                fields = {"audio": named | {"duration": file.duration}}
            case MediaKind.VOICE:
                fields = {"voice": base | {"mime_type": file.mime, "duration": file.duration}}
        if self.has_spoiler and file.kind in (MediaKind.PHOTO, MediaKind.ANIMATION, MediaKind.VIDEO):
            fields["has_media_spoiler"] = True
        if self.caption_above:
            fields["show_caption_above_media"] = True
        return fields


def _photo_sizes(file: StoredFile) -> list[Json]:
    """Telegram keeps a photo in several sizes; the largest is last and is the file itself."""
    sizes: list[Json] = []
    for letter, side in (("s", 90), ("m", 320), ("x", 800)):
        largest = max(file.width, file.height)
        if largest > side:
            scale = side / largest
            sizes.append(
                {
                    "file_id": f"{file.file_id}{letter}",
                    "file_unique_id": f"{file.unique_id}{letter}",
                    "width": max(1, round(file.width * scale)),
                    "height": max(1, round(file.height * scale)),
                }
            )
    sizes.append(
        {
            "file_id": file.file_id,
            "file_unique_id": file.unique_id,
            "width": file.width,
            "height": file.height,
            "file_size": file.size,
        }
    )
    return sizes


class Files:
    """Every file that was uploaded."""

    def __init__(self) -> None:
        self._files: dict[int, StoredFile] = {}
        self._numbers: Iterator[int] = itertools.count(1)
        self._bytes = 0
        self._oldest = 1

    def store(
        self, upload: Upload, kind: MediaKind, *, width: int = 0, height: int = 0, duration: int = 0
    ) -> StoredFile:
        """Keep an upload as a file of `kind`; raises ApiError when Telegram would not take it."""
        size = len(upload.data)
        if not size:
            raise bad_request("file must be non-empty")
        if size > MAX_UPLOAD:
            raise bad_request("file is too big")
        seen = image_size(upload.data)
        if kind is MediaKind.PHOTO:
            if size > MAX_PHOTO:
                raise bad_request(
                    f"file of size {size} bytes is too big for a photo; the maximum size is {MAX_PHOTO} bytes"
                )
            if seen is None:
                raise bad_request("IMAGE_PROCESS_FAILED")
            if sum(seen) > 10_000 or max(seen) > 20 * min(seen):
                raise bad_request("PHOTO_INVALID_DIMENSIONS")
        if seen is not None:
            width, height = seen
        if upload.data[:4] == b"GIF8":
            duration = duration or gif_seconds(upload.data)
        file = StoredFile(
            next(self._numbers),
            kind,
            upload.name or "file",
            mime_of(upload),
            upload.data,
            size,
            width,
            height,
            duration,
        )
        self._files[file.number] = file
        self._bytes += size
        while self._bytes > KEPT_BYTES and self._oldest < file.number:
            old = self._files[self._oldest]
            self._oldest += 1
            if old.data is not None:
                self._bytes -= old.size
                old.data = None
        return file

    def by_id(self, file_id: str) -> StoredFile | None:
        """The file of a file_id (of any size of a photo)."""
        for kind, prefix in _PREFIXES.items():
            if file_id.startswith(prefix):
                number, _, size = file_id[len(prefix) :].partition("A")
                file = self._files.get(int(number)) if number.isdecimal() else None
                return file if file is not None and file.kind is kind and size in ("", "s", "m", "x") else None
        return None

    def by_number(self, number: int) -> StoredFile | None:
        """The file of a number (the control API's name of it)."""
        return self._files.get(number)

    def by_path(self, path: str) -> StoredFile | None:
        """The file of getFile's path."""
        number = path.rpartition("/file_")[2].partition(".")[0]
        file = self._files.get(int(number)) if number.isdecimal() else None
        return file if file is not None and file.path == path else None


_PICTURES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"GIF8", "image/gif"), (b"\xff\xd8\xff", "image/jpeg"))


def mime_of(upload: Upload) -> str:
    """The media type: of a picture by its first bytes, else as the uploader or the file's name says."""
    for magic, mime in _PICTURES:
        if upload.data.startswith(magic):
            return mime
    if upload.mime and upload.mime != "application/octet-stream":
        return upload.mime
    return mimetypes.guess_type(upload.name)[0] or "application/octet-stream"


def image_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG, JPEG or GIF, in pixels; None for anything else."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        else:
            at += 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])
    return None


def gif_seconds(data: bytes) -> int:
    """How long one round of a GIF takes, in whole seconds (from the delays of its frames)."""
    hundredths, at = 0, 0
    while (at := data.find(b"\x21\xf9\x04", at)) >= 0 and at + 6 <= len(data):
        hundredths += int(struct.unpack("<H", data[at + 4 : at + 6])[0])
        at += 6
    return round(hundredths / 100)
