"""Files of exports, as they are downloaded."""

import io

from surveys.exports.registry import write_file


def content_of(export, file_format, launch, step=0):
    file = io.BytesIO()
    write_file(export, file_format, launch, file, step)
    return file.getvalue()


def text_of_file(export, file_format, launch, step=0):
    return content_of(export, file_format, launch, step).decode()
