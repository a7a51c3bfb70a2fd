"""Django's settings. Settings that differ between machines come from environment variables, read strictly."""

import gc
import os
from pathlib import Path

from surveys import __version__
from surveys.operation import environment, logging
from surveys.transparency.log import settings as log

gc.disable()  # until all modules are loaded (surveys/apps.py)

BASE_DIR = Path(__file__).resolve().parent.parent

# The machine's part ---------------------------------------------------------------------------------------

# Only the site's user may access files that its processes write.
os.umask(0o077)
# The local site: its port, and its folder unless DATA_DIR names another.
LOCAL_SITE = environment.local_site("SITE")
DATA_DIR = environment.directory("DATA_DIR", BASE_DIR / "var" / LOCAL_SITE.name)
SECRET_KEY = environment.secret_key("SECRET_KEY", DATA_DIR / "secret_key")
SECRET_KEY_FALLBACKS = environment.older_keys("SECRET_KEY_FALLBACKS")
DEBUG = environment.flag("DEBUG", False)

# matplotlib stores its list of fonts here, not in a home directory. Any other value is overridden, because a user's
# matplotlibrc would change the pictures.
os.environ["MPLCONFIGDIR"] = str(DATA_DIR / "matplotlib")

_LOCAL_URL = environment.serving(DATA_DIR / "serve.json") or f"http://127.0.0.1:{LOCAL_SITE.port}"
_SITE = environment.origin("SITE_URL", _LOCAL_URL)
SITE_URL = _SITE.geturl()
_SITE_HOST = _SITE.netloc.removesuffix(f":{_SITE.port}")
# If set, only this host serves staff's pages (surveys/operation/hosts.py).
_STAFF = environment.second_origin("STAFF_URL", _SITE)
STAFF_URL = _STAFF.geturl() if _STAFF else SITE_URL
STAFF_HOST = _STAFF.netloc.removesuffix(f":{_STAFF.port}") if _STAFF else None
_HOSTS = environment.hosts("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
ALLOWED_HOSTS = [*_HOSTS, _SITE_HOST, *filter(None, [STAFF_HOST])]  # the site's names are always included

DATABASES = {"default": environment.database("DATABASE_URL", DATA_DIR / "deniable.sqlite3")}
_ON_SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

# None if Redis runs elsewhere, at REDIS_URL. Otherwise `manage.py serve` starts Redis on this socket.
REDIS_SOCKET = None if environment.text("REDIS_URL") else environment.socket_path(DATA_DIR, "redis.sock")
REDIS_URL = environment.broker("REDIS_URL", environment.socket_path(DATA_DIR, "redis.sock"))

# SQLite has one writer at a time, so a second process would only wait.
INTAKE_PROCESSES = environment.integer("INTAKE_PROCESSES", 1 if _ON_SQLITE else 2, 1, 64)
# The socket of Django's pages. The intake forwards all requests except reports to it. Empty if a proxy does that.
PAGES_SOCKET = environment.text("PAGES_SOCKET")

# The most reports per client and minute in each intake process; 0 for no limit. Many people may share an IP address.
# X-Forwarded-For from these proxies names the client.
CLIENT_REPORTS_PER_MINUTE = environment.integer("CLIENT_REPORTS_PER_MINUTE", 600, 0, 1_000_000)
TRUSTED_PROXIES = environment.networks("TRUSTED_PROXIES")

# Origins of the relays that a survey may name (RFC 9458), the networks of their requests, and the most of these per
# minute in each intake process.
RELAYS = environment.origins("RELAYS")
RELAY_NETWORKS = environment.networks("RELAY_NETWORKS")
RELAY_REPORTS_PER_MINUTE = environment.integer("RELAY_REPORTS_PER_MINUTE", 60_000, 0, 1_000_000)

# Origins whose pages may frame the respondents' page, if its survey names them, too.
FRAME_HOSTS = environment.holders("FRAME_HOSTS")

# The most API requests per minute of a token, an account, or a client without either, in each pages process; 0 for no
# limit.
API_REQUESTS_PER_MINUTE = environment.integer("API_REQUESTS_PER_MINUTE", 600, 0, 1_000_000)

# The pages.
WEB_PROCESSES = environment.integer("WEB_PROCESSES", 1 if _ON_SQLITE else 2, 1, 64)
WEB_THREADS = environment.integer("WEB_THREADS", 16, 1, 256)
WORKER_PROCESSES = environment.integer("WORKER_PROCESSES", 1, 1, 64)

# While more reports of a survey wait, its respondents' browsers have to send theirs later.
BACKLOG_MAX = environment.integer("BACKLOG_MAX", 1_000_000, 1, 100_000_000)

# Requests with this bearer token may read /metrics. If it is empty, no request may.
METRICS_TOKEN = environment.text("METRICS_TOKEN")

# The smallest batch; two releases differ by at least as many reports (P11). A survey may require a larger batch, up to
# BACKLOG_MAX, or it would never be full.
BATCH = environment.integer("BATCH", 100, 2, BACKLOG_MAX)

# The fewest reports of a release. A survey that ends with fewer publishes nothing.
RELEASE_LEAST = environment.integer("RELEASE_LEAST", 20, 10, BACKLOG_MAX)

# Small blocks of reports are joined up to about this size.
BLOCK_SIZE = environment.integer("BLOCK_SIZE", 1 << 16, 100, 1 << 20)

# The book of invitations with its signing keys, outside the database (surveys/respondent/invitations/book.py).
INVITATIONS_FILE = environment.directory("INVITATIONS_DIR", DATA_DIR) / "invitations.sqlite3"

# The gateway's keys for reports through a relay, also outside the database (surveys/respondent/relay/keys.py).
GATEWAY_DIR = INVITATIONS_FILE.parent / "gateway"

# The mail server. Without one, no invitations are emailed. MAIL_PER_MINUTE is the largest rate (worker/mail.py).
vars().update(environment.mail("MAIL_URL"))
DEFAULT_FROM_EMAIL = environment.sender("MAIL_FROM", bool(environment.text("MAIL_URL")))
EMAIL_TIMEOUT = 20
# The email address that hears of a failed backup, a full disk or an expiring certificate (worker/troubles.py).
OPERATOR_MAIL = environment.mailbox("OPERATOR_MAIL")
MAIL_PER_MINUTE = environment.integer("MAIL_PER_MINUTE", 60, 12, 6000)

# Private networks that webhooks may lead to, besides public IP addresses (surveys/designer/alerts/addresses.py).
WEBHOOK_NETWORKS = environment.networks("WEBHOOK_NETWORKS")

# The public log (surveys/transparency/log/). Its key is in a file beside the secret key unless it is set here. Several
# machines, or temporary containers, must set it.
LOG_KEY = log.key("LOG_KEY")
LOG_KEY_FILE = DATA_DIR / "log_key"
# The log's witnesses, and the size of a quorum.
LOG_WITNESSES = log.witnesses("LOG_WITNESSES")
LOG_QUORUM = log.quorum("LOG_QUORUM", LOG_WITNESSES)
# The URL of the program's source.
SOURCE_URL = environment.page("SOURCE_URL")
# The operator, for the first page: name, contact, and privacy notice.
SITE_OPERATOR = environment.text("SITE_OPERATOR")
SITE_CONTACT = environment.contact("SITE_CONTACT")
SITE_NOTICE = environment.page("SITE_NOTICE")

# The time limit for a statement of the web server, including waits for locks.
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
    "surveys",  # before allauth, so that its templates take precedence
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
            "libraries": {
                "lab": "surveys.public.lab.tags",
                "numerals": "surveys.figures.numerals",
                "zones": "surveys.web.zones",
            },
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
# Each name in its own language, for people who read no other.
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
# allauth would store IP addresses and times of attempts. LimitedBackend and codes.py limit attempts without storing
# these.
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
MFA_TOTP_TOLERANCE = 1  # steps of 30 s, because clocks differ and people type
MFA_FORMS = {
    "authenticate": "surveys.accounts.codes.SignInCodeInput",
    "reauthenticate": "surveys.accounts.codes.CodeAgainInput",
    "activate_totp": "surveys.accounts.codes.FirstCodeInput",
}

# Static files are served from the repository, byte for byte and under their names, so that anyone can compare them.
# Browsers check for changes each time (304 if there are none), so that no page gets a module of another version, which
# would not match its integrity pin.
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 0
WHITENOISE_ALLOW_ALL_ORIGINS = False

# Transport: an https:// SITE_URL means a proxy ends TLS and says so in X-Forwarded-Proto -----------------

_HTTPS = _SITE.scheme == "https"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _HTTPS else None
SECURE_SSL_REDIRECT = _HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(alive|healthz|metrics)$"]  # requested on this machine, behind the proxy
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if _HTTPS else 0
SESSION_COOKIE_SECURE = _HTTPS
CSRF_COOKIE_SECURE = _HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_TRUSTED_ORIGINS = [STAFF_URL]
# Browsers accept a cookie with this prefix only from its own host, so no sibling host can set one.
SESSION_COOKIE_NAME = "__Host-sessionid" if _HTTPS else "sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken" if _HTTPS else "csrftoken"
DEVICE_COOKIE_NAME = "__Secure-device" if _HTTPS else "device"  # for some pages only, so not __Host-
X_FRAME_OPTIONS = "DENY"
# surveys/web/headers.py sets these two. No default may come first.
SECURE_REFERRER_POLICY = None
SECURE_CROSS_ORIGIN_OPENER_POLICY = None
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # HSTS for subdomains and the preload list
    "security.W021",  # are the operator's decision
    "security.W022",  # surveys/web/headers.py sets the referrer policy
]

# The API --------------------------------------------------------------------------------------------------

# Respondents' endpoints have no authentication, so no report can be tied to an account. Researchers' views set their
# own (surveys/api/research_view.py).
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
# Long tasks have a queue of their own, so no survey's estimates or files delay another survey's batches.
_LONG = (
    "estimate",
    "export",
    "analyze",
    "write_workbook",
    "post",
    "deliver_alerts",
    "tell",
)
CELERY_TASK_ROUTES = {f"worker.tasks.{name}": {"queue": "estimates"} for name in _LONG}
# A task is acknowledged when it ends. A task of a killed process is repeated. Tasks are safe to repeat.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TASK_SOFT_TIME_LIMIT = 40
CELERY_TASK_TIME_LIMIT = 45
# A killed worker's task is repeated after visibility_timeout, checked every unacked_restore_interval seconds. The
# timeout must exceed the hard limit, or a running task starts twice.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 330,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
}
