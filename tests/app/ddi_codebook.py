"""The part of DDI Codebook 2.5 that is written, as its schema has it: a second reader.

In our own words after https://ddialliance.org/Specification/DDI-Codebook/2.5/XMLSchema/codebook.xsd
(2012-01-17). The schema itself (LGPL 3) is in no package that can be installed, that of 2.6 is:
`tests.app.ddi_schemas` validates by it. What 2.6 has and 2.5 has not is refused here: the order of
elements, how often each may stand, the attributes and their values are read off 2.5 by hand. What
this table has not is refused, so that a new element needs a line here.
"""

import re
from xml.etree import ElementTree as ET

NAMESPACE = "{ddi:codebook:2_5}"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
LOCATION = "{http://www.w3.org/2001/XMLSchema-instance}schemaLocation"
# Attributes of every element (GLOBALS).
GLOBALS = {"ID", "source", "elementVersion", "ddiCodebookUrn", LANGUAGE}
# Of an element its children in their order, each with how often it may stand: once, at most once
# (?), any number (*) or at least once (+).
CHILDREN = {
    "codeBook": "docDscr* stdyDscr+ fileDscr* dataDscr* otherMat*",
    "docDscr": "citation? guide? docStatus? docSrc* controlledVocabUsed* notes*",
    "stdyDscr": (
        "citation+ studyAuthorization* stdyInfo* studyDevelopment* method* dataAccs* othrStdyMat* "
        "notes*"
    ),
    "citation": (
        "titlStmt rspStmt? prodStmt? distStmt? serStmt* verStmt* biblCit? holdings* notes*"
    ),
    "titlStmt": "titl subTitl* altTitl* parTitl* IDNo*",
    "prodStmt": "producer* copyright? prodDate* prodPlac* software* fundAg* grantNo*",
    "distStmt": "distrbtr* contact* depositr* depDate* distDate?",
    "verStmt": "version? verResp? notes*",
    "stdyInfo": (
        "studyBudget* subject* abstract* sumDscr* qualityStatement? notes* exPostEvaluation*"
    ),
    "sumDscr": (
        "timePrd* collDate* nation* geogCover* geogUnit* geoBndBox? boundPoly? anlyUnit* universe* "
        "dataKind*"
    ),
    "method": "dataColl* notes* anlyInfo? stdyClas? dataProcessing* codingInstructions*",
    "dataColl": (
        "timeMeth* dataCollector* collectorTraining* frequenc* sampProc* sampleFrame* "
        "targetSampleSize* deviat* collMode* resInstru* instrumentDevelopment* sources? collSitu* "
        "actMin* ConOps* weight* cleanOps*"
    ),
    "dataAccs": "setAvail* useStmt* notes*",
    "useStmt": ("confDec? specPerm? restrctn? contact* citReq? deposReq? conditions? disclaimer?"),
    "fileDscr": "fileTxt* locMap? notes*",
    "fileTxt": (
        "fileName? fileCitation? fileCont? fileStrc? dimensns? fileType? format? filePlac? "
        "dataChck* ProcStat? dataMsng? software* verStmt?"
    ),
    "fileStrc": "recGrp* notes*",
    "dimensns": "caseQnty* varQnty* logRecL* recPrCas* recNumTot*",
    "dataDscr": "varGrp* nCubeGrp* var* nCube* notes*",
    "var": (
        "location* labl* imputation? security? embargo? respUnit? anlysUnit? qstn* valrng* "
        "invalrng* undocCod* universe* TotlResp? sumStat* txt* stdCatgry* catgryGrp* catgry* "
        "codInstr* verStmt* concept* derivation? varFormat? geoMap* catLevel* notes*"
    ),
    # Text may stand between these; only this one is written.
    "qstn": "qstnLit*",
    "catgry": "catValu? labl* txt* catStat* mrow?",
    "derivation": "drvdesc* drvcmd*",
    "otherMat": "typ? labl* txt? notes* table? citation? otherMat*",
}
# Elements that hold text alone here.
TEXTS = {
    *("titl", "parTitl", "IDNo", "prodDate", "software", "contact", "distDate"),
    *("version", "abstract", "collDate", "anlyUnit", "universe", "dataKind", "timeMeth"),
    *("collMode", "notes", "conditions", "fileName", "fileCont", "caseQnty", "varQnty"),
    *("fileType", "format", "labl", "qstnLit", "catValu", "drvdesc", "drvcmd"),
    *("varFormat",),
}
# Attributes beside those of every element, each with its values; those with ! have to be there.
DAY = r"\d{4}-\d\d-\d\d"
ANY = "(?s).*"
ATTRIBUTES = {
    "codeBook": {"version": r"2\.5", "codeBookAgency": ANY, LOCATION: ANY},
    "IDNo": {"agency": ANY, "level": ANY},
    "prodDate": {"date": DAY},
    "distDate": {"date": DAY},
    "software": {"date": DAY, "version": ANY},
    "version": {"date": DAY, "type": ANY},
    "collDate": {"date": DAY, "event": "start|end|single", "cycle": ANY},
    "notes": {"type": ANY, "subject": ANY, "level": ANY, "resp": ANY},
    "fileDscr": {"URI": ANY},
    "fileStrc": {"type": "rectangular|hierarchical|relational|nested|other"},
    "fileType": {"charset": ANY},
    "var": {"name!": ".+", "files": ANY, "intrvl": "contin|discrete"},
    "qstn": {
        "responseDomainType": "text|numeric|code|category|datetime|geographic|multiple",
    },
    "catgry": {"missing": "Y|N", "missType": ANY},
    "drvcmd": {"syntax": ANY},
    "varFormat": {
        "type": "character|numeric",
        "schema": "SAS|SPSS|IBM|ANSI|ISO|XML-Data|other",
        "otherSchema": r"[\w.:-]+",
    },
    "otherMat": {"type": ANY, "level": ANY, "URI": ANY},
}


def problems_of(root: ET.Element) -> list[str]:
    """Return what of a document the schema does not allow; nothing of a valid one."""
    found = [] if root.tag == f"{NAMESPACE}codeBook" else [f"root {root.tag}"]
    identifiers: list[str] = []
    for element in root.iter():
        name = element.tag.removeprefix(NAMESPACE)
        found += _children(element, name)
        found += _attributes(element, name)
        identifiers += [element.attrib["ID"]] if "ID" in element.attrib else []
    found += [f"twice: {each}" for each in set(identifiers) if identifiers.count(each) > 1]
    named = {each for own in root.iter(f"{NAMESPACE}var") for each in own.get("files", "").split()}
    return found + [f"no file {each}" for each in named - set(identifiers)]


def _children(element: ET.Element, name: str) -> list[str]:
    children = [child.tag.removeprefix(NAMESPACE) for child in element]
    if name in TEXTS:
        return [f"{name} has {children}"] if children else []
    if name not in CHILDREN:
        return [f"no element {name}"]
    if (element.text or "").strip():
        return [f"{name} has a text"]
    parts = [re.fullmatch(r"(\w+)([?*+]?)", part) for part in CHILDREN[name].split()]
    pattern = "".join(f"(?:{part[1]} ){part[2]}" for part in parts if part)
    said = "".join(f"{child} " for child in children)
    return [] if re.fullmatch(pattern, said) else [f"{name}: {said}"]


def _attributes(element: ET.Element, name: str) -> list[str]:
    known = {key.rstrip("!"): values for key, values in ATTRIBUTES.get(name, {}).items()}
    needed = [key[:-1] for key in ATTRIBUTES.get(name, {}) if key.endswith("!")]
    wrong = [f"{name} without {key}" for key in needed if key not in element.attrib]
    for key, value in element.attrib.items():
        if key not in GLOBALS and not re.fullmatch(known.get(key, "(?!)"), value):
            wrong.append(f"{name}: {key} = {value}")
    identifier = element.get("ID")
    if identifier is not None and not re.fullmatch(r"[A-Za-z_][\w.-]*", identifier):
        wrong.append(f"{name}: ID = {identifier}")
    return wrong
