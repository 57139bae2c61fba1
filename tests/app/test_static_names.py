"""Content-hashed names: every import follows them, and a comment is no import."""

from pathlib import Path

from config.staticfiles import HashedStaticFilesStorage

FILES = {
    "js/a.js": 'import { b } from "./b.js";\nexport const late = () => import("./c.js");\n',
    "js/b.js": '/** @param {import("./a.js").Kind} kind */\nexport const b = 1;\n',
    "js/c.js": "export const c = 1;\n",
}


def test_a_type_named_in_a_comment_is_no_import(tmp_path):
    storage = HashedStaticFilesStorage(location=tmp_path, base_url="/static/")
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    processed = storage.post_process({name: (storage, name) for name in FILES})
    failures = [error for _, _, error in processed if isinstance(error, Exception)]
    assert failures == []
    names = {name: storage.stored_name(name) for name in FILES}
    text = (tmp_path / names["js/a.js"]).read_text()
    assert f'from "./{Path(names["js/b.js"]).name}"' in text
    assert f'import("./{Path(names["js/c.js"]).name}")' in text
    assert (tmp_path / names["js/b.js"]).read_text() == FILES["js/b.js"]
