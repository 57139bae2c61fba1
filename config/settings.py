"""All settings. What the environment may say, with its defaults: config/environment/."""

import re
from pathlib import Path

import dj_database_url
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from config import broker
from config.environment import environment
from config.logs import logging_settings

env = environment()
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.CANDOR_DATA_DIR

DEBUG = env.CANDOR_DEBUG
SECRET_KEY = env.CANDOR_SECRET_KEY
SECRET_KEY_FALLBACKS = env.CANDOR_SECRET_KEY_FALLBACKS
# The files that `candor rotate-secret` writes; None where the environment has or names any.
SECRET_KEY_FILES = (
    None
    if env.stands_elsewhere("CANDOR_SECRET_KEY", "CANDOR_SECRET_KEY_FALLBACKS")
    else (DATA_DIR / "secret-key", DATA_DIR / "secret-key-fallbacks")
)
ALLOWED_HOSTS = env.CANDOR_ALLOWED_HOSTS
CANONICAL_HOST = env.CANDOR_CANONICAL_HOST
# Below which path of its name the site is; empty where it has the name to itself.
SITE_PATH = env.CANDOR_PATH
FORCE_SCRIPT_NAME = SITE_PATH or env.SCRIPT_NAME or env.FORCE_SCRIPT_NAME or None
# Whether the proxy takes the path away before it passes a request on (config/wsgi.py).
SITE_PATH_STRIPPED = env.CANDOR_PATH_STRIPPED
# A laptop without TLS: cookies and redirects must work over plain http on localhost.
PLAIN_HTTP = DEBUG or env.CANDOR_PLAIN_HTTP

INSTALLED_APPS = [
    "surveys.apps.SurveysConfig",
    "surveys.apps.CandorAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
]

MIDDLEWARE = [
    # Counts, names and traces requests, those of respondents by batches or not at all.
    "surveys.observation.requests.observed",
    # Middleware for every answer of the site.
    "surveys.middleware.isolation_headers",
    "surveys.middleware.below_the_path",
    "surveys.middleware.canonical_host",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # Health checks are answered here, under whatever name or address they come.
    "surveys.middleware.health_check",
    # Submitted responses are answered here; the middleware below is for pages.
    "surveys.submission_path.direct_responses",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "surveys.middleware.CompressedPages",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "surveys.session_limits.session_limits",
    "django.contrib.messages.middleware.MessageMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- database ---------------------------------------------------------------------------------
DATABASE_URL = env.DATABASE_URL
DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_max_age=60)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "config.sqlite"
    DATABASES["default"]["OPTIONS"] = {
        # Writers queue instead of failing on a lock upgrade; a commit is on disk when it returns;
        # deleted inbox rows are overwritten, and the sweep truncates the log that had them, so that
        # no file keeps an id beside its reports. The sweep also moves what is in the log into the
        # database; a commit does so only where nothing has swept for 64 MB. Pages are read from
        # where the system keeps the file already, up to half a gigabyte of it.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;"
            "PRAGMA foreign_keys=ON; PRAGMA wal_autocheckpoint=16384;"
            "PRAGMA mmap_size=536870912;"
        ),
    }

if DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    _options = DATABASES["default"].setdefault("OPTIONS", {})
    # Seconds until a server that does not answer counts as unreachable.
    _options.setdefault("connect_timeout", 5)
    # For the one statement that stores a response; Django's own are never prepared.
    _options["prepare_threshold"] = 5 if env.CANDOR_PREPARED_STATEMENTS else None
    if not env.CANDOR_DATABASE_POOLED:
        # Whoever reads by a cursor of the server reads to the end, so it is to plan for all rows:
        # for the first ones it would go through the keys of all surveys (docs/decisions/0109).
        _given = ["-c cursor_tuple_fraction=1", _options.get("options")]
        _options["options"] = " ".join(filter(None, _given))

# Behind a pooler that takes turns by transaction: no cursor of the server outlives one.
DATABASE_POOLED = env.CANDOR_DATABASE_POOLED
DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = DATABASE_POOLED
# Seconds that PostgreSQL gives a process (config/database.py); 0: any number.
WEB_STATEMENT_SECONDS = env.CANDOR_WEB_STATEMENT_SECONDS
WEB_LOCK_SECONDS = env.CANDOR_WEB_LOCK_SECONDS
TASK_STATEMENT_SECONDS = env.CANDOR_TASK_STATEMENT_SECONDS
IDLE_TRANSACTION_SECONDS = env.CANDOR_IDLE_TRANSACTION_SECONDS

# --- broker, workers --------------------------------------------------------------------------
BROKER = broker.of(env)
CELERY_BROKER_URL = BROKER.celery_url
CELERY_BROKER_USE_SSL = BROKER.tls
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 120
CELERY_TASK_TIME_LIMIT = 150
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000
# Megabytes of data that a process of a worker may have (config/memory.py); 0: as many as there are.
# After a task with which it came to more than half of them it makes room for a new one.
TASK_MEMORY_MB = env.CANDOR_TASK_MEMORY_MB
CELERY_WORKER_MAX_MEMORY_PER_CHILD = TASK_MEMORY_MB * 1024 // 2 or None
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A task lost with its worker comes back after this many seconds; longer than any task
    # may run that is acknowledged at its end.
    "visibility_timeout": 180,
    "socket_connect_timeout": 1,
    "socket_timeout": 5,
    **BROKER.transport_options,
}
# Searches for designs take a minute of processor time, so they have a worker of their own.
QUEUE, SEARCH_QUEUE, FILE_QUEUE = "celery", "searches", "files"
CELERY_TASK_DEFAULT_QUEUE = QUEUE
CELERY_TIMEZONE = "UTC"
# Seconds after which a search ends with its current fronts.
SEARCH_SECONDS = env.CANDOR_SEARCH_SECONDS
# Files with a row for each person are made by a worker from this many responses on, and may take
# so many seconds.
ROWS_AT_ONCE = env.CANDOR_ROWS_AT_ONCE
FILE_SECONDS = env.CANDOR_FILE_SECONDS
RECEIPT_DAYS = env.CANDOR_RECEIPT_DAYS
SWEEP_SECONDS = env.CANDOR_SWEEP_SECONDS
# The clock queues none that still waits for a worker (config/clocks.py). So what is queued need
# not expire soon, by a time of day that the worker's machine may not agree with.
_WAITS = {"expires": 24 * 3600}
_SWEEP = {"schedule": SWEEP_SECONDS, "options": _WAITS}
CELERY_BEAT_SCHEDULE = {
    "close-due-surveys": {"task": "surveys.tasks.close_due_surveys", **_SWEEP},
    "recover-jobs": {"task": "surveys.tasks.recover_jobs", **_SWEEP},
    "truncate-write-ahead-log": {"task": "surveys.tasks.truncate_write_ahead_log", **_SWEEP},
    # At minutes of each hour, because the clock remembers nothing from before its start.
    "clear-old-sessions": {
        "task": "surveys.tasks.clear_old_sessions",
        "schedule": crontab(minute="17"),
        "options": _WAITS,
    },
    "delete-old-files": {
        "task": "surveys.tasks.delete_old_files",
        "schedule": crontab(minute="47"),
        "options": _WAITS,
    },
}
# In memory: what is due is read from the database, and the clock writes no file beside the code.
CELERY_BEAT_SCHEDULER = "config.clocks:Scheduler"

# --- privacy and limits -----------------------------------------------------------------------
EPSILON_CAP = env.CANDOR_EPSILON_CAP
SUBMISSION_MAX_BYTES = env.CANDOR_SUBMISSION_MAX_BYTES
SUBMIT_RATE = env.CANDOR_SUBMIT_RATE
LOGIN_RATE = env.CANDOR_LOGIN_RATE
# Per account, from all browsers together that have not signed in to it before.
LOGIN_ACCOUNT_RATE = env.CANDOR_LOGIN_ACCOUNT_RATE
# Searches for people to name as researchers or co-authors, per author.
PEOPLE_RATE = env.CANDOR_PEOPLE_RATE
# Requests of one token of the interface for programs; and of one network without a good token.
API_RATE = env.CANDOR_API_RATE
API_REFUSED_RATE = env.CANDOR_API_REFUSED_RATE
# Networks of the site's own to which webhooks may be sent, beside the internet; none by default.
WEBHOOK_NETWORKS = env.CANDOR_WEBHOOK_NETWORKS
THROTTLE_EXEMPT = env.CANDOR_THROTTLE_EXEMPT
TRUSTED_PROXIES = env.CANDOR_TRUSTED_PROXIES
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

# --- the web server (config/stack/web.py) ------------------------------------------------------
# Time limits for a client: for the head of a request and then for the whole body, for the
# next request on a kept connection, and for the client to take anything of an answer.
WEB_HEAD_SECONDS = env.CANDOR_HEAD_SECONDS
WEB_BODY_SECONDS = env.CANDOR_BODY_SECONDS
WEB_IDLE_SECONDS = env.CANDOR_IDLE_SECONDS
WEB_SEND_SECONDS = env.CANDOR_SEND_SECONDS
# The most connections of each web process; the one idle longest is closed for a new one.
WEB_CONNECTIONS = env.CANDOR_WEB_CONNECTIONS
# For so long a process that was told to end serves on, while /readyz sends balancers elsewhere.
WEB_DRAIN_SECONDS = env.CANDOR_DRAIN_SECONDS

# --- seen from outside (surveys/observation) ---------------------------------------------------
# Megabytes that have to be free where the site writes files.
LEAST_FREE_MB = env.CANDOR_LEAST_FREE_MB
# Where `manage.py candor metrics` answers Prometheus; 0: web processes count nothing.
METRICS_PORT = env.CANDOR_METRICS_PORT
METRICS_HOST = env.CANDOR_METRICS_HOST
# The collector of traces, by OTLP over HTTP; empty: none.
OTLP_ENDPOINT = env.CANDOR_OTLP_ENDPOINT

# --- security ---------------------------------------------------------------------------------
SECURE_SSL_REDIRECT = not PLAIN_HTTP
SECURE_HSTS_SECONDS = 0 if PLAIN_HTTP else 31_536_000
# Both bind every name below this one, for as long as browsers remember: they have to be asked for.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.CANDOR_HSTS_SUBDOMAINS
# Django's checks would have every site ask for them.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# Matched against whole addresses, the path of the site included.
SECURE_REDIRECT_EXEMPT = [rf"^{re.escape(SITE_PATH.lstrip('/'))}/?(?:healthz|livez|readyz)$"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Below a path, cookies are for that path, and under names of its own: of two cookies of one name a
# browser sends both, and another application at the root of the name may have one called sessionid.
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = LANGUAGE_COOKIE_PATH = SITE_PATH or "/"
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, LANGUAGE_COOKIE_NAME = (
    f"{name}{SITE_PATH.replace('/', '_')}" for name in ("sessionid", "csrftoken", "django_language")
)
SESSION_COOKIE_SECURE = not PLAIN_HTTP
SESSION_COOKIE_HTTPONLY = True
# Seconds without a request after which somebody is signed out, and the longest that a session
# lasts however busy it is (surveys/session_limits.py).
SESSION_COOKIE_AGE = 8 * 3600
SESSION_LONGEST_AGE = 3 * 24 * 3600
CSRF_COOKIE_SECURE = not PLAIN_HTTP
CSRF_COOKIE_AGE = None
CSRF_FAILURE_VIEW = "surveys.admin.saves.csrf_failures.show_again"
CSRF_TRUSTED_ORIGINS = env.CANDOR_CSRF_TRUSTED_ORIGINS
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "account"
LOGOUT_REDIRECT_URL = "home"

# --- language, time, files --------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
# Those in which respondents' pages are there as well, and no page for authors or readers
# (docs/translating.md).
RESPONDENT_LANGUAGES = [*LANGUAGES, ("he", _("Hebrew"))]
LOCALE_PATHS = [BASE_DIR / "surveys" / "locale"]
USE_I18N = True
TIME_ZONE = env.CANDOR_TIME_ZONE
USE_TZ = True
# Thousands are grouped alike in templates and code.
USE_THOUSAND_SEPARATOR = True

# Whole, so that it is the same where nobody has asked for anything yet.
STATIC_URL = f"{SITE_PATH}/static/"
# Pages of this site alone load its files.
WHITENOISE_ALLOW_ALL_ORIGINS = False
STATIC_ROOT = env.CANDOR_STATIC_DIR
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    # What pages load as one file.
    "config.group_files.GroupFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # What workers make and web processes serve: a folder that all of them share, and nobody else
    # may read.
    "files": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "location": env.CANDOR_FILES_DIR,
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    },
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.staticfiles.HashedStaticFilesStorage"
    },
}

# No access log and no address in any line: a log must not link a person to a time.
LOGGING = logging_settings(env.CANDOR_LOG_FORMAT)
