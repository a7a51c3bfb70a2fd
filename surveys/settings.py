"""Django's settings. What differs between machines comes from the environment, read strictly."""

import gc
import os
from pathlib import Path

from surveys import __version__
from surveys.operation import environment, logging
from surveys.transparency.log import settings as log

gc.disable()  # until all is loaded, of which nothing is garbage: see surveys/apps.py

BASE_DIR = Path(__file__).resolve().parent.parent

# The machine's part ---------------------------------------------------------------------------------------

# Whatever a process of the site writes is for its owner alone.
os.umask(0o077)
# A site on this machine: its port, and its folder unless DATA_DIR names another one.
LOCAL_SITE = environment.local_site("SITE")
DATA_DIR = environment.directory("DATA_DIR", BASE_DIR / "var" / LOCAL_SITE.name)
SECRET_KEY = environment.secret_key("SECRET_KEY", DATA_DIR / "secret_key")
SECRET_KEY_FALLBACKS = environment.older_keys("SECRET_KEY_FALLBACKS")
DEBUG = environment.flag("DEBUG", False)

# matplotlib keeps its list of fonts here, and nothing in a home directory. Set whatever was set before: somebody's
# own matplotlibrc would change the pictures.
os.environ["MPLCONFIGDIR"] = str(DATA_DIR / "matplotlib")

_LOCAL_URL = environment.serving(DATA_DIR / "serve.json") or f"http://127.0.0.1:{LOCAL_SITE.port}"
_SITE = environment.origin("SITE_URL", _LOCAL_URL)
SITE_URL = _SITE.geturl()
_SITE_HOST = _SITE.netloc.removesuffix(f":{_SITE.port}")
# Where set, staff's pages are there alone; see surveys/operation/hosts.py.
_STAFF = environment.second_origin("STAFF_URL", _SITE)
STAFF_URL = _STAFF.geturl() if _STAFF else SITE_URL
STAFF_HOST = _STAFF.netloc.removesuffix(f":{_STAFF.port}") if _STAFF else None
_HOSTS = environment.hosts("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
ALLOWED_HOSTS = [*_HOSTS, _SITE_HOST, *filter(None, [STAFF_HOST])]  # the site's own names are always among them

DATABASES = {"default": environment.database("DATABASE_URL", DATA_DIR / "deniable.sqlite3")}
_ON_SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

# None: Redis runs elsewhere, at REDIS_URL. Otherwise `manage.py serve` starts one on this socket.
REDIS_SOCKET = None if environment.text("REDIS_URL") else environment.socket_path(DATA_DIR, "redis.sock")
REDIS_URL = environment.broker("REDIS_URL", environment.socket_path(DATA_DIR, "redis.sock"))

# SQLite lets one process write at a time, so a second one would only add waiting.
INTAKE_PROCESSES = environment.integer("INTAKE_PROCESSES", 1 if _ON_SQLITE else 2, 1, 64)
# Where the intake finds Django's pages, which it hands everything to that is no report. Empty where a proxy does that.
PAGES_SOCKET = environment.text("PAGES_SOCKET")

# From one client so many reports are taken in a minute by each intake process, 0 for any number. Many may share an
# address. Clients of these proxies are who X-Forwarded-For says.
CLIENT_REPORTS_PER_MINUTE = environment.integer("CLIENT_REPORTS_PER_MINUTE", 600, 0, 1_000_000)
TRUSTED_PROXIES = environment.networks("TRUSTED_PROXIES")

# Relays that a survey may name (RFC 9458), by their origins; where their requests come from, and how many of them each
# intake process takes in a minute.
RELAYS = environment.origins("RELAYS")
RELAY_NETWORKS = environment.networks("RELAY_NETWORKS")
RELAY_REPORTS_PER_MINUTE = environment.integer("RELAY_REPORTS_PER_MINUTE", 60_000, 0, 1_000_000)

# Origins whose pages may hold the respondents' page in a frame, where its survey names them too.
FRAME_HOSTS = environment.holders("FRAME_HOSTS")

# From one token, account or client without either so many requests to the API are answered in a minute by each process
# of the pages, 0 for any number.
API_REQUESTS_PER_MINUTE = environment.integer("API_REQUESTS_PER_MINUTE", 600, 0, 1_000_000)

# The pages.
WEB_PROCESSES = environment.integer("WEB_PROCESSES", 1 if _ON_SQLITE else min(4, os.cpu_count() or 1), 1, 64)
WEB_THREADS = environment.integer("WEB_THREADS", 16, 1, 256)
WORKER_PROCESSES = environment.integer("WORKER_PROCESSES", 1, 1, 64)

# Above so many reports of a survey that wait to be counted, its respondents' browsers are told to send theirs later.
BACKLOG_MAX = environment.integer("BACKLOG_MAX", 1_000_000, 1, 100_000_000)

# Whoever sends this as a bearer token may read /metrics; nobody may where it is empty.
METRICS_TOKEN = environment.text("METRICS_TOKEN")

# Reports are taken in batches of at least so many, and no release differs from another by fewer (P11). A survey may ask
# for more, but not for more than may wait: it would never be taken.
BATCH = environment.integer("BATCH", 100, 2, BACKLOG_MAX)

# A release holds at least so many reports. A survey that ends with fewer publishes nothing, to nobody.
RELEASE_LEAST = environment.integer("RELEASE_LEAST", 20, 10, BACKLOG_MAX)

# Small blocks of taken reports are joined up to about so many.
BLOCK_SIZE = environment.integer("BLOCK_SIZE", 1 << 16, 100, 1 << 20)

# Who was invited, and the keys that sign: a file apart from the database (surveys/respondent/invitations/book.py).
INVITATIONS_FILE = environment.directory("INVITATIONS_DIR", DATA_DIR) / "invitations.sqlite3"

# The keys of the gateway that reports come to through a relay, apart from the database too
# (surveys/respondent/relay/keys.py).
GATEWAY_DIR = INVITATIONS_FILE.parent / "gateway"

# Invitations are sent by mail where a server is named, at most so many in a minute (worker/mail.py).
vars().update(environment.mail("MAIL_URL"))
DEFAULT_FROM_EMAIL = environment.sender("MAIL_FROM", bool(environment.text("MAIL_URL")))
EMAIL_TIMEOUT = 20
MAIL_PER_MINUTE = environment.integer("MAIL_PER_MINUTE", 60, 12, 6000)

# Networks of its own that the site's webhooks may lead to, beside public addresses
# (surveys/designer/alerts/addresses.py).
WEBHOOK_NETWORKS = environment.networks("WEBHOOK_NETWORKS")

# The public log (surveys/transparency/log/). Its key is kept beside the secret key unless it is named here, as it must
# be where several machines, or containers that are thrown away, serve one site.
LOG_KEY = log.key("LOG_KEY")
LOG_KEY_FILE = DATA_DIR / "log_key"
# Who watches it, and how many of them make a quorum.
LOG_WITNESSES = log.witnesses("LOG_WITNESSES")
LOG_QUORUM = log.quorum("LOG_QUORUM", LOG_WITNESSES)
# Where the program's source is published.
SOURCE_URL = environment.page("SOURCE_URL")
# Who runs the site, as its first page says it: a name, where to write to, and the privacy notice.
SITE_OPERATOR = environment.text("SITE_OPERATOR")
SITE_CONTACT = environment.contact("SITE_CONTACT")
SITE_NOTICE = environment.page("SITE_NOTICE")

# The longest that a statement of the web server may take, waiting for locks included.
STATEMENT_SECONDS = 20

# The site -------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "surveys.accounts.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "surveys",  # before allauth, so that its templates come first
    "worker",
    "allauth.account",
    "allauth.mfa",
]
MIDDLEWARE = [
    "surveys.web.headers.SecurityHeaders",
    "surveys.web.nul.RefuseNul",
    "surveys.operation.hosts.SeparateHosts",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "surveys.web.language.ChooseLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "surveys.web.zones.ChooseZone",
    "surveys.accounts.devices.RememberDevice",
    "allauth.account.middleware.AccountMiddleware",
    "surveys.accounts.reauthentication.AskAgain",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "surveys.urls"
WSGI_APPLICATION = "surveys.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "surveys.web.tabs.of_results",
            ],
            "libraries": {"lab": "surveys.public.lab.tags", "zones": "surveys.web.zones"},
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
# By their own names, since whoever looks for one may read no other.
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("ar", "العربية")]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LOCALE_PATHS = [BASE_DIR / "surveys" / "locale"]
FORMAT_MODULE_PATH = "surveys.formats"
TIME_ZONE = "UTC"
USE_TZ = True
LOGGING = logging.settings()
AUTHENTICATION_BACKENDS = ["surveys.accounts.backend.LimitedBackend"]
PASSWORD_HASHERS = ["surveys.accounts.hashing.QueuedArgon2"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Signing in (surveys/accounts/) --------------------------------------------------------------------------------

LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "surveys"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "surveys.accounts.adapters.Accounts"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
# allauth would keep addresses beside the times of attempts. LimitedBackend and codes.py limit them, and keep none.
ACCOUNT_RATE_LIMITS = False
MFA_RATE_LIMITS = False
ACCOUNT_FORMS = {
    "login": "surveys.accounts.inputs.SignInInput",
    "signup": "surveys.accounts.inputs.SignUpInput",
    "change_password": "surveys.accounts.inputs.NewPasswordInput",
    "reauthenticate": "surveys.accounts.inputs.PasswordAgainInput",
}
MFA_ADAPTER = "surveys.accounts.adapters.Factors"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_TOLERANCE = 1  # of its 30 s steps: clocks differ, and people type
MFA_FORMS = {
    "authenticate": "surveys.accounts.codes.SignInCodeInput",
    "reauthenticate": "surveys.accounts.codes.CodeAgainInput",
    "activate_totp": "surveys.accounts.codes.FirstCodeInput",
}

# Static files: served from where they stand in the repository, byte for byte and under their own names, so
# that anyone can compare them. Browsers ask again each time (a 304 when nothing changed): after an update
# no page may meet a module that its integrity pin does not name.
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 0
WHITENOISE_ALLOW_ALL_ORIGINS = False

# Transport: an https:// SITE_URL means a proxy ends TLS and says so in X-Forwarded-Proto -----------------

_HTTPS = _SITE.scheme == "https"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _HTTPS else None
SECURE_SSL_REDIRECT = _HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(alive|healthz|metrics)$"]  # asked on the machine itself, behind the proxy
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if _HTTPS else 0
SESSION_COOKIE_SECURE = _HTTPS
CSRF_COOKIE_SECURE = _HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_TRUSTED_ORIGINS = [STAFF_URL]
# Browsers hold a cookie of such a name to the host that set it: no sibling of the host can plant one.
SESSION_COOKIE_NAME = "__Host-sessionid" if _HTTPS else "sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken" if _HTTPS else "csrftoken"
DEVICE_COOKIE_NAME = "__Secure-device" if _HTTPS else "device"  # of some pages, so no __Host-
X_FRAME_OPTIONS = "DENY"
# surveys/web/headers.py sets these two, so that no other default comes before its own.
SECURE_REFERRER_POLICY = None
SECURE_CROSS_ORIGIN_OPENER_POLICY = None
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # HSTS for subdomains is not ours to decide,
    "security.W021",  # nor is its preload list
    "security.W022",  # the referrer policy is set in surveys/web/headers.py
]

# The API --------------------------------------------------------------------------------------------------

# Respondents' part of it authenticates nobody, so no report can be tied to an account. Views for researchers say
# themselves whom they know (surveys/api/research_view.py).
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_THROTTLE_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "surveys.api.problems.handler",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Deniable",
    "DESCRIPTION": "Surveys that randomize answers in browsers: definitions, randomized reports, published results.",
    "OAS_VERSION": "3.1.0",
    "VERSION": __version__,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": ["surveys.api.openapi.add_intake"],
}

# The worker -----------------------------------------------------------------------------------------------

CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = TIME_ZONE
CELERY_TASK_IGNORE_RESULT = True
# A queue of its own for what is long: no survey's estimates or files hold up another one's batches.
_LONG = (
    "estimate",
    "export",
    "cross",
    "regress",
    "count_subgroups",
    "rake",
    "write_workbook",
    "post",
    "deliver_alerts",
)
CELERY_TASK_ROUTES = {f"worker.tasks.{name}": {"queue": "estimates"} for name in _LONG}
# A task is acknowledged when it has ended, and one whose process was killed comes back. Tasks repeat safely.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TASK_SOFT_TIME_LIMIT = 40
CELERY_TASK_TIME_LIMIT = 45
# The task of a killed worker is handed out again after visibility_timeout, looked for every
# unacked_restore_interval seconds. The timeout must exceed the hard limit: else a running task starts twice.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 330,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
}
