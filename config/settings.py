"""All settings, each read from the environment; docs/operating.md lists them."""

from pathlib import Path

import dj_database_url
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from config import broker, env
from config.logs import logging_settings

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("CANDOR_DATA_DIR", str(BASE_DIR / "var")))

DEBUG = env.boolean("CANDOR_DEBUG", default=False)
SECRET_KEY = env.secret(
    "CANDOR_SECRET_KEY",
    required=not DEBUG,
    fallback="only-for-debugging-on-one-machine",
    # So that the commands of manage.py work beside `make run`.
    kept_in=DATA_DIR / "secret-key",
)
# Former secrets, the newest first: signatures and keyed hashes made with them still hold.
SECRET_KEY_FALLBACKS = env.text_list("CANDOR_SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = env.text_list("CANDOR_ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
env.refuse_a_path(ALLOWED_HOSTS)
CANONICAL_HOST = env.canonical_host("CANDOR_CANONICAL_HOST", ALLOWED_HOSTS)
# A laptop without TLS: cookies and redirects must work over plain http on localhost.
PLAIN_HTTP = DEBUG or env.boolean("CANDOR_PLAIN_HTTP", default=False)

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
    # Middleware for every answer of the site.
    "surveys.middleware.isolation_headers",
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
DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{DATA_DIR / 'candor.sqlite3'}")
try:
    DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_max_age=60)}
except (dj_database_url.ParseError, dj_database_url.UnknownSchemeError) as error:
    raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {error}") from error
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
    _options["prepare_threshold"] = (
        5 if env.boolean("CANDOR_PREPARED_STATEMENTS", default=True) else None
    )

# Behind a pooler that takes turns by transaction: no cursor of the server outlives one.
DATABASE_POOLED = env.boolean("CANDOR_DATABASE_POOLED", default=False)
DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = DATABASE_POOLED
# Seconds that PostgreSQL gives a process (config/database.py); 0: any number.
WEB_STATEMENT_SECONDS = env.whole_number("CANDOR_WEB_STATEMENT_SECONDS", default=30)
WEB_LOCK_SECONDS = env.whole_number("CANDOR_WEB_LOCK_SECONDS", default=15)
TASK_STATEMENT_SECONDS = env.whole_number("CANDOR_TASK_STATEMENT_SECONDS", default=3_600)
IDLE_TRANSACTION_SECONDS = env.whole_number("CANDOR_IDLE_TRANSACTION_SECONDS", default=600)

# --- broker, workers --------------------------------------------------------------------------
BROKER = broker.of_environment()
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
TASK_MEMORY_MB = env.whole_number("CANDOR_TASK_MEMORY_MB", default=4096)
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
SEARCH_SECONDS = env.whole_number("CANDOR_SEARCH_SECONDS", default=300, minimum=10)
# Files with a row for each person are made by a worker from this many responses on, and may take
# so many seconds.
ROWS_AT_ONCE = env.whole_number("CANDOR_ROWS_AT_ONCE", default=10_000)
FILE_SECONDS = env.whole_number("CANDOR_FILE_SECONDS", default=7_200, minimum=10)
SWEEP_SECONDS = env.whole_number("CANDOR_SWEEP_SECONDS", default=15, minimum=1)
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
# Not above the cap that every browser enforces itself (static/js/rr/device.js).
EPSILON_CAP = env.decimal_text("CANDOR_EPSILON_CAP", default="8", maximum="8")
SUBMISSION_MAX_BYTES = env.whole_number(
    "CANDOR_SUBMISSION_MAX_BYTES", default=65_536, minimum=1_024
)
# Per network: an IPv4 address or a /64 of IPv6. A school or a village may share one, so the default
# is generous.
SUBMIT_RATE = env.rate("CANDOR_SUBMIT_RATE", default="300/minute")
LOGIN_RATE = env.rate("CANDOR_LOGIN_RATE", default="10/minute")
# Per account, from all browsers together that have not signed in to it before.
LOGIN_ACCOUNT_RATE = env.rate("CANDOR_LOGIN_ACCOUNT_RATE", default="20/hour")
# Searches for people to name as researchers or co-authors, per author.
PEOPLE_RATE = env.rate("CANDOR_PEOPLE_RATE", default="60/minute")
# Requests of one token of the interface for programs; and of one network without a good token.
API_RATE = env.rate("CANDOR_API_RATE", default="600/minute")
API_REFUSED_RATE = env.rate("CANDOR_API_REFUSED_RATE", default="60/minute")
# Networks of the site's own to which webhooks may be sent, beside the internet; none by default.
WEBHOOK_NETWORKS = env.networks("CANDOR_WEBHOOK_NETWORKS")
THROTTLE_EXEMPT = env.networks("CANDOR_THROTTLE_EXEMPT")
TRUSTED_PROXIES = env.whole_number("CANDOR_TRUSTED_PROXIES", default=0)
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

# --- the web server (config/stack/web.py) ------------------------------------------------------
# Time limits for a client: for the head of a request and then for the whole body, for the
# next request on a kept connection, and for the client to take anything of an answer.
WEB_HEAD_SECONDS = env.whole_number("CANDOR_HEAD_SECONDS", default=10, minimum=1)
WEB_BODY_SECONDS = env.whole_number("CANDOR_BODY_SECONDS", default=20, minimum=1)
WEB_IDLE_SECONDS = env.whole_number("CANDOR_IDLE_SECONDS", default=15, minimum=1)
WEB_SEND_SECONDS = env.whole_number("CANDOR_SEND_SECONDS", default=30, minimum=1)
# The most connections of each web process; the one idle longest is closed for a new one.
WEB_CONNECTIONS = env.whole_number("CANDOR_WEB_CONNECTIONS", default=1000, minimum=10)

# --- security ---------------------------------------------------------------------------------
SECURE_SSL_REDIRECT = not PLAIN_HTTP
SECURE_HSTS_SECONDS = 0 if PLAIN_HTTP else 31_536_000
# Both bind every name below this one, for as long as browsers remember: they have to be asked for.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.boolean(
    "CANDOR_HSTS_SUBDOMAINS", default=False
)
# Django's checks would have every site ask for them.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = not PLAIN_HTTP
SESSION_COOKIE_HTTPONLY = True
# Seconds without a request after which somebody is signed out, and the longest that a session
# lasts however busy it is (surveys/session_limits.py).
SESSION_COOKIE_AGE = 8 * 3600
SESSION_LONGEST_AGE = 3 * 24 * 3600
CSRF_COOKIE_SECURE = not PLAIN_HTTP
CSRF_COOKIE_AGE = None
CSRF_FAILURE_VIEW = "surveys.admin.saves.csrf_failures.show_again"
CSRF_TRUSTED_ORIGINS = env.text_list("CANDOR_CSRF_TRUSTED_ORIGINS")
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
TIME_ZONE = env.text("CANDOR_TIME_ZONE", "UTC")
USE_TZ = True
# Thousands are grouped alike in templates and code.
USE_THOUSAND_SEPARATOR = True

STATIC_URL = "static/"
# Pages of this site alone load its files.
WHITENOISE_ALLOW_ALL_ORIGINS = False
STATIC_ROOT = DATA_DIR / "static"
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
            "location": env.text("CANDOR_FILES_DIR") or DATA_DIR / "files",
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
LOGGING = logging_settings()
