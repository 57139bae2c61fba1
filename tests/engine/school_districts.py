"""Schools of a cluster sample of 15 Californian school districts, 2000.

The data set `apiclus1` of the R package survey 4.1-1 (from the California Department of Education):
for each district its number and its schools, each as type (E, M, H), whether it met its school-wide
target (+ or -), performance index and pupils.
"""

DISTRICTS = {
    637: (
        "H+608/1689 E+684/288 E+612/294 E+710/143 E+729/307 E+714/311 E+759/362 E+585/263 "
        "E+625/583 M+664/886 M+669/955"
    ),
    437: ("H+443/418 E+467/574 M+482/286 E+496/158"),
    778: ("M-411/372 E+494/308"),
    197: (
        "E+493/358 M-592/921 E+550/375 M+689/962 M-598/954 E+628/370 E+652/596 E+628/485 "
        "E+832/254 E+777/465 E+709/481 E-709/425 E+736/312"
    ),
    406: ("E+561/360 E+555/323"),
    815: ("H-696/442 M-631/508 E+564/166 E+602/525"),
    178: ("H+529/388 E+491/266 E+510/671 M-547/343"),
    255: (
        "E+814/466 E+806/516 E+715/489 E+785/300 M+720/728 E+905/512 M+617/972 E+630/619 "
        "E+629/562 E+696/358 E+476/626 E+757/396 E+825/571 E+595/715 E-552/345 M+847/850"
    ),
    568: (
        "H+714/258 H+724/170 H-687/210 H+723/467 E+662/117 E-699/196 E+807/205 M+679/233 E+691/324"
    ),
    135: (
        "E+622/370 E+754/309 E+655/414 E+764/303 E+795/407 E+505/504 E-638/371 E+733/374 "
        "E+523/631 E+511/432 E+710/299 E+657/500 E+602/499 E+490/748 E-664/356 E+651/302 "
        "E+603/594 E+698/527 E+511/446 E+814/436 E+669/381 E-711/464 E+538/462 E+705/320 "
        "E+595/437 E+551/295 E+762/512 E+521/343 E+709/404 E+780/504 E+780/411 E+722/637 "
        "E+828/555 E+737/491"
    ),
    510: (
        "H-595/1585 H+661/1855 E+502/385 M-614/1015 E+585/483 E+582/576 M+642/1405 E+536/549 "
        "E+746/352 E+667/564 E-629/540 E+745/290 E+674/523 E+637/379 E+696/391 E+632/403 "
        "E+639/613 E+745/596 E+789/520 M+656/1573 E+789/371"
    ),
    716: (
        "H+517/1908 H+478/2181 H+582/2106 E+592/532 E+587/381 E+553/624 E+516/704 E+535/602 "
        "E+566/686 E-481/607 E+472/209 E+559/643 E+610/331 E+599/641 E+551/479 E+554/535 "
        "E-561/561 E-505/695 E-492/426 E+504/657 E+487/300 E+627/612 E+465/466 E+529/352 "
        "E+625/559 E+436/363 E+542/558 E-515/257 M+461/1243 M+528/1260 M+512/1306 M+508/1344 "
        "E+670/119 E+760/818 E+652/118 E+546/145 E+717/486"
    ),
    61: (
        "E+701/371 E+748/377 E+735/265 M-699/930 E+685/336 E+827/448 M+711/1023 E+677/387 "
        "M-759/940 E+697/525 E+742/427 E+691/390 E+700/358"
    ),
    413: ("E+551/274"),
    448: (
        "H+703/2147 E+676/479 E+714/441 E+842/476 E+824/511 E+717/385 E+836/443 M+733/696 "
        "E+719/332 M+817/738 E+749/425 E+781/302"
    ),
}
SCHOOLS = [school for schools in DISTRICTS.values() for school in schools.split()]
CLUSTERS = [name for name, schools in DISTRICTS.items() for _ in schools.split()]
TYPES = ["EHM".index(school[0]) for school in SCHOOLS]
MET = ["-+".index(school[1]) for school in SCHOOLS]
INDEX = [float(school[2:].split("/")[0]) for school in SCHOOLS]
PUPILS = [float(school.split("/")[1]) for school in SCHOOLS]
# Totals of the population: districts, schools, schools of each type, and those that met the target.
ALL_DISTRICTS, ALL_SCHOOLS = 757, 6194
ALL_TYPES, ALL_MET = [4421, 755, 1018], [1072, 5122]
# As the package has it.
WEIGHT = 33.846996307373
