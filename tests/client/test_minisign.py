"""Signatures of releases: ours is read by the program minisign, its own are read by us."""

import shutil
import subprocess

import pytest
from candor.errors import CandorError
from candor.verification.minisign import BadSignatureError, read_key, read_signature, verify

from tests.client.signing import Signer

LIST = b'{"files":{},"format":"candor-scripts/1","version":"0.1.0"}'


def minisign(*words, folder):
    program = shutil.which("minisign")
    assert program, "sh scripts/minisign.sh finds it, as `make test` does"
    return subprocess.run(
        [program, *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def released(tmp_path):
    """A list, and the key pair of a maintainer, who has signed it with the program."""
    (tmp_path / "list.json").write_bytes(LIST)
    for words in (
        ("-G", "-W", "-p", "maintainers.pub", "-s", "maintainers.key"),
        ("-S", "-s", "maintainers.key", "-m", "list.json"),
    ):
        done = minisign(*words, folder=tmp_path)
        assert done.returncode == 0, done.stderr
    return tmp_path


def test_what_the_program_signs_is_taken(released):
    signature = read_signature((released / "list.json.minisig").read_text())
    key = read_key((released / "maintainers.pub").read_text())
    assert key == read_key((released / "maintainers.pub").read_text().splitlines()[1])
    assert key.name in (released / "maintainers.pub").read_text()
    verify(LIST, signature, key)
    assert "file:list.json" in signature.comment
    with pytest.raises(BadSignatureError, match="has not signed this"):
        verify(LIST + b" ", signature, key)
    with pytest.raises(BadSignatureError, match="is made with the key"):
        verify(LIST, signature, read_key(Signer().public))


def test_the_program_takes_what_the_tests_sign(tmp_path):
    signer = Signer()
    (tmp_path / "list.json").write_bytes(LIST)
    (tmp_path / "list.json.minisig").write_text(signer.signature(LIST))
    done = minisign("-V", "-P", signer.public, "-m", "list.json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    verify(LIST, read_signature(signer.signature(LIST)), read_key(signer.public_file))


def test_the_trusted_comment_is_signed_too():
    signer = Signer()
    altered = signer.signature(LIST).replace("timestamp:1 ", "timestamp:2 ")
    with pytest.raises(BadSignatureError, match="has not signed this"):
        verify(LIST, read_signature(altered), read_key(signer.public))


@pytest.mark.parametrize("text", ["", "no key", "RWQ" * 5, "AA" * 28])
def test_what_is_no_key_is_refused(text):
    with pytest.raises(CandorError, match="no public key of minisign"):
        read_key(text)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("trusted comment: timestamp", "comment: timestamp", "no signature of minisign"),
        ("RUQ", "RWQ", "not made over a hash"),
        ("untrusted comment: signed in a test\n", "", "no signature of minisign"),
    ],
)
def test_what_is_no_signature_is_refused(old, new, problem):
    text = Signer().signature(LIST)
    assert old in text
    with pytest.raises(BadSignatureError, match=problem):
        read_signature(text.replace(old, new, 1))
