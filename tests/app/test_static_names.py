"""Static files as production has them: hashed names that imports follow, scripts without types."""

import re
from pathlib import Path

import pytest
from django.core.files import File

from config.staticfiles import HashedStaticFilesStorage, without_comments, without_types

ROOT = Path(__file__).resolve().parents[2]

FILES = {
    "js/a.js": 'import { b } from "./b.js";\nexport const late = () => import("./c.js");\n',
    "js/b.js": '/** Of {import("./a.js").Kind}. */\nexport const b = 1;\n',
    "js/c.js": "export const c = 1;\n",
}


def stored(folder, files):
    """A storage with the files under their final names."""
    storage = HashedStaticFilesStorage(location=folder, base_url="/static/")
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    processed = storage.post_process({name: (storage, name) for name in files})
    failures = [error for _, _, error in processed if isinstance(error, Exception)]
    assert failures == []
    return storage


def test_imports_of_many_levels_have_final_names(tmp_path):
    """Each level would need a pass over all files, and Django gives up after five."""
    level = 'import "./m{}.js";\n'
    files = {f"js/m{number}.js": level.format(number + 1) for number in range(12)}
    storage = stored(tmp_path, {**files, "js/m12.js": "export const last = 1;\n"})
    for number in range(12):
        text = (tmp_path / storage.stored_name(f"js/m{number}.js")).read_text()
        assert f'"./{Path(storage.stored_name(f"js/m{number + 1}.js")).name}"' in text


def test_a_type_named_in_a_comment_is_no_import(tmp_path):
    storage = stored(tmp_path, FILES)
    names = {name: storage.stored_name(name) for name in FILES}
    text = (tmp_path / names["js/a.js"]).read_text()
    assert f'from "./{Path(names["js/b.js"]).name}"' in text
    assert f'import("./{Path(names["js/c.js"]).name}")' in text
    assert (tmp_path / names["js/b.js"]).read_text() == FILES["js/b.js"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("/** @param {number} n */\nf();\n", "f();\n"),
        ("/** Says so. */\nf();\n", "/** Says so. */\nf();\n"),
        (
            "/**\n * Says so.\n * @param {number} n how often\n */\nf();\n",
            "/** Says so. */\nf();\n",
        ),
        (
            "  /**\n   * One.\n   *\n   * Two.\n   *\n   * @returns {string}\n   */\n  f();\n",
            "  /**\n   * One.\n   *\n   * Two.\n   */\n  f();\n",
        ),
        ("/**\n * @type {Map<string,\n *   number>}\n */\nf();\n", "f();\n"),
        ("f(/** @type {A} */ (b), 2); /** @type {C} */\ng();\n", "f((b), 2); \ng();\n"),
        ("/** @type {A} */ (f)();\n/** Says so. */\ng();\n", "(f)();\n/** Says so. */\ng();\n"),
        ('const a = "/** @param */";\n', 'const a = "/** @param */";\n'),
    ],
)
def test_comments_keep_what_they_say_and_lose_their_types(source, text):
    assert without_types(source) == text


STYLES = sorted((ROOT / "static/css").rglob("*.css"))
SCRIPTS = sorted((ROOT / "static/js").rglob("*.js"))
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_of_a_script_nothing_but_types_is_left_out(path):
    source = path.read_text()
    text = without_types(source)
    assert without_types(text) == text
    assert not re.search(r"^\s*(/\*)?\* @", text, re.MULTILINE)
    code, left = _COMMENT.sub("", source), _COMMENT.sub("", text)
    assert "".join(left.split()) == "".join(code.split())


def collected(name, folder):
    """The text of a static file as it is stored."""
    storage = HashedStaticFilesStorage(location=folder, base_url="/static/")
    with (ROOT / "static" / name).open("rb") as file:
        storage.save(name, File(file))
    return (folder / name).read_text()


def test_what_is_collected_is_stored_without_types(tmp_path):
    text = collected("js/lib/dom.js", tmp_path)
    assert "@template" not in text
    assert "export function el(tag, props = {}, ...children) {" in text


def test_of_a_style_sheet_only_comments_and_the_space_between_lines_are_left_out():
    source = (
        "/* Why. */\na,\nb {\n  /* Here\n     too. */\n  margin: 0;\n\n  content: 'x  y';\n}\n"
        "c:has(\n  d\n) {\n}\n"
    )
    assert without_comments(source) == "a,b{margin: 0;content: 'x  y';}c:has(\nd\n){}"


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_no_text_of_a_style_sheet_looks_like_a_comment(path):
    """Comments are found by their marks alone, so no string and no address may have them."""
    rules = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    assert "/*" not in rules
    assert "*/" not in rules
    for text in re.findall(r"\"[^\"\n]*\"|'[^'\n]*'", path.read_text()):
        assert "/*" not in text


def test_what_is_collected_of_a_style_sheet_has_no_comments(tmp_path):
    text = collected("css/base.css", tmp_path)
    assert "/*" not in text
    assert len(text) < len((ROOT / "static/css/base.css").read_text())
