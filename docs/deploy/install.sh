#!/bin/bash
# A site on one machine of its own, from a bare Debian 12 or 13. Read from top to bottom it says what such a machine has.
#
#   docs/deploy/install.sh install --site survey.example.org --staff staff.example.org --owner ada
#   docs/deploy/install.sh upgrade            from the checkout of the new version
#   docs/deploy/install.sh backup FOLDER      while the site runs
#   docs/deploy/install.sh restore FOLDER     on a machine with a site; what that holds is replaced
#   docs/deploy/install.sh rotate-key         a new SECRET_KEY; what the one before signed is read until the next time
#   docs/deploy/install.sh uninstall          the data stay; with --with-data they go too
#
# --certificate certbot       Let's Encrypt, renewed by certbot's own timer (the default: both names lead to this machine)
# --certificate self-signed   for a trial: browsers warn
# --certificate PROGRAM       is called as PROGRAM SITE STAFF CERTIFICATE KEY and writes the two PEM files
# --formats                   downloads as Parquet, SPSS and Stata as well (271 MB)
# --dry-run                   says what would be done, and does nothing
#
# Whatever is there already stays, so the same command can be run again: after a failure, or to change a name.
# shellcheck disable=SC1090,SC1091,SC2012,SC2046,SC2086  # lists of words are words
set -euo pipefail
umask 022

SOURCE=$(cd "$(dirname "$0")/../.." && pwd)
CODE=/srv/deniable              # leads to the release that runs
RELEASES=/srv/deniable-releases # code of versions, and the packages of Python that they need
PARTS="manage.py ldp surveys worker"
DATA=/var/lib/deniable
SETTINGS=/etc/deniable.env
SYSTEMD=/etc/systemd/system
CERTIFICATE=/etc/nginx/certificate.pem
KEY=/etc/nginx/key.pem
# A setting, which systemd and this script read alike: a value in quotes of one kind, or one that begins with no quote or space.
SETTING=$'^([A-Z][A-Z0-9_]*)=("([^"\\\\[:cntrl:]]*)"|\'([^\'\\\\[:cntrl:]]*)\'|([^"\' \\\\[:cntrl:]][^"\\\\[:cntrl:]]*)?)[[:blank:]]*$'
CHALLENGES=/var/www/deniable # what certbot shows to prove that a name is this machine's

main() {
    local action=${1:-}
    shift || true
    DRY='' SITE='' STAFF='' OWNER='' CERTIFY='' FORMATS='' WITH_DATA='' FOLDER=''
    while [ $# -gt 0 ]; do
        case $1 in
        --site) SITE=${2:-} && shift ;;
        --staff) STAFF=${2:-} && shift ;;
        --owner) OWNER=${2:-} && shift ;;
        --certificate) CERTIFY=${2:-} && shift ;;
        --formats) FORMATS=1 ;;
        --with-data) WITH_DATA=1 ;;
        --dry-run) DRY=1 ;;
        -*) refuse "$1 is no option of $0." ;;
        *) FOLDER=$1 ;;
        esac
        shift
    done
    [ -z "$FOLDER" ] || FOLDER=$(realpath -m "$FOLDER")
    case $CERTIFY in
    '' | certbot | self-signed) ;;
    *) CERTIFY=$(realpath "$(type -P "$CERTIFY")" 2>/dev/null) || refuse "--certificate is certbot, self-signed or a program." ;;
    esac
    cd /
    [ "$(id -u)" = 0 ] || [ -n "$DRY" ] || refuse "Only root can do this."
    [ ! -r $SETTINGS ] || [ "$action" = uninstall ] || settings_in $SETTINGS >/dev/null <$SETTINGS || exit 1
    list_units
    case $action in
    install) install_site ;;
    upgrade) upgrade_site ;;
    backup) back_up ;;
    restore) restore_site ;;
    rotate-key) rotate_key ;;
    uninstall) uninstall_site ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
}

install_site() {
    SITE=${SITE:-$(present_host SITE_URL)} STAFF=${STAFF:-$(present_host STAFF_URL)}
    is_host "$SITE" || refuse "--site is the name under which people answer, such as survey.example.org."
    is_host "$STAFF" || refuse "--staff is the name under which staff work, such as staff.example.org."
    [ "$SITE" != "$STAFF" ] || refuse "--staff has to be another name than --site: staff work at a host of their own."
    suitable_machine
    suitable_database "$(query "SELECT max(name) FROM django_migrations WHERE app = 'surveys'")"
    certificate_needed || CERTIFY=''
    [[ "$CERTIFY" != /* ]] || [ -x "$CERTIFY" ] || refuse "$CERTIFY got the certificate and is gone: name a program by --certificate."
    packages
    database
    broker
    account
    settings
    python_packages
    release
    migrate
    activate
    units
    proxy
    certificate
    owner
    working
    say "The site is at https://$SITE/, staff's part at https://$STAFF/surveys/."
}

# A Debian whose packages this script knows.
suitable_machine() {
    . /etc/os-release
    case "$ID $VERSION_ID" in
    "debian 12" | "debian 13") ;;
    *) refuse "This is ${PRETTY_NAME:-$ID}, and the script is for Debian 12 and 13. docs/deploy/compose.yaml is for others." ;;
    esac
}

# What a later version has changed it alone understands: nothing is touched.
suitable_database() {
    [ -z "$1" ] || [ -e "$SOURCE/surveys/migrations/$1.py" ] ||
        refuse "The database was made by a later version, which has $1; this is $(version_of "$SOURCE")."
}

packages() {
    local wanted="ca-certificates openssl python3-venv postgresql redis-server nginx" missing=''
    [ "$CERTIFY" != certbot ] || wanted="$wanted certbot"
    for package in $wanted; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    step "Packages of Debian:$missing"
    run apt-get update
    run apt-get -y --no-install-recommends install $missing
}

# apt-get, after any other: a new machine often runs one of its own. A failed download is tried again.
apt-get() {
    local waited=0 said
    until said=$(DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 command apt-get -qq -o Acquire::Retries=3 "$@" 2>&1 >/dev/null); do
        case "$said" in *"Could not get lock"*) ;; *) refuse "apt-get $1 failed: ${said##*$'\n'}" ;; esac
        [ $waited -lt 600 ] || refuse "Another apt-get has held its lock for ten minutes. Try again when it has ended."
        [ $((waited % 60)) -ne 0 ] || say "   Another apt-get is at work: waiting for it, $((waited / 60)) minutes so far."
        sleep 5
        waited=$((waited + 5))
    done
}

# The site's role is its account on this machine, known by the socket: there is no password that could be lost.
database() {
    step "PostgreSQL: role, database and how long its write-ahead log tells of reports"
    run systemctl enable --quiet --now postgresql
    [ "$(psql_as_postgres "SELECT 1 FROM pg_roles WHERE rolname = 'deniable'")" ] ||
        run runuser -u postgres -- createuser deniable
    [ "$(psql_as_postgres "SELECT 1 FROM pg_database WHERE datname = 'deniable'")" ] ||
        run runuser -u postgres -- createdb --owner deniable --encoding UTF8 --locale C.UTF-8 --template template0 deniable
    # Debian's own settings acknowledge a commit when it is on the disk, which the site insists on. These have the log,
    # which holds every report with its time, removed within minutes: docs/operators/inside.md, Traces outside of the system.
    for cluster in /etc/postgresql/*/main; do
        write "$cluster/conf.d/deniable.conf" <<-'POSTGRESQL'
			wal_recycle = off
			min_wal_size = 32MB
			checkpoint_timeout = 5min
			archive_timeout = 5min
		POSTGRESQL
    done
    run systemctl reload postgresql
}

# Messages may be lost without harm, the rows are the truth; a file of them would tell when somebody signed in.
broker() {
    step "Redis, which keeps no file"
    CHANGED=''
    write /etc/redis/deniable.conf <<-'REDIS'
		save ""
		appendonly no
	REDIS
    grep -qs '^include /etc/redis/deniable.conf' /etc/redis/redis.conf ||
        write /etc/redis/redis.conf < <(cat /etc/redis/redis.conf 2>/dev/null && echo "include /etc/redis/deniable.conf")
    [ -z "$CHANGED" ] || run systemctl restart redis-server
    run systemctl enable --quiet --now redis-server
}

account() {
    id -u deniable >/dev/null 2>&1 || run useradd --system --home-dir $DATA --shell /usr/sbin/nologin deniable
    run install -d -o deniable -g deniable -m 700 $DATA
}

# The units' environment, made once. Edit it, and run `systemctl restart 'deniable-*'`.
settings() {
    step "Settings in $SETTINGS"
    local file=$SETTINGS empty=$'=["\']*[[:blank:]]*$'
    [ -e $SETTINGS ] || file=$SOURCE/docs/deploy/deniable.env
    CHANGED=''
    write $SETTINGS < <(sed -e "s|^SITE_URL=.*|SITE_URL=https://$SITE|" -e "s|^STAFF_URL=.*|STAFF_URL=https://$STAFF|" \
        -e "s|^SECRET_KEY$empty|SECRET_KEY=$(secret)|" -e "s|^METRICS_TOKEN$empty|METRICS_TOKEN=$(secret)|" "$file")
    RESTART=$RESTART$CHANGED
    write /usr/local/sbin/deniable <<-SCRIPT
		#!/bin/bash
		# manage.py of the site, as its account and with its settings: deniable check --deploy
		$(declare -p SETTINGS SETTING && declare -f say refuse settings_in manage)
		manage $CODE "\$@"
	SCRIPT
    run chmod 755 /usr/local/sbin/deniable
}

# The packages of Python, apart from the code: a release that needs the same shares them. Each folder is complete before
# anything runs it.
python_packages() {
    local digest
    [ -n "$FORMATS" ] || ! compgen -G "$CODE/.venv/lib/python3*/site-packages/pyarrow" >/dev/null || FORMATS=1
    digest=$(cd "$SOURCE" && { echo "$FORMATS" && python3 -V && cat requirements.txt requirements-formats.txt; } 2>/dev/null |
        sha256sum | cut -c-12)
    PACKAGES=$RELEASES/packages-$digest
    [ ! -e "$PACKAGES/complete" ] || return 0
    step "Packages of Python, in $PACKAGES"
    run rm -rf "$PACKAGES"
    run mkdir -p $RELEASES
    run python3 -m venv "$PACKAGES"
    for list in requirements${FORMATS:+ requirements-formats}; do
        run "$PACKAGES/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$SOURCE/$list.txt"
    done
    run chmod -R go+rX "$PACKAGES"
    run touch "$PACKAGES/complete"
}

# The code of this checkout.
release() {
    local digest
    digest=$(cd "$SOURCE" && find $PARTS -type f ! -name '*.pyc' -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c-12)
    RELEASE=$RELEASES/$(version_of "$SOURCE")-$digest-${PACKAGES##*-}
    [ ! -e "$RELEASE/complete" ] || return 0
    step "The code, in $RELEASE"
    run rm -rf "$RELEASE"
    run mkdir -p "$RELEASE"
    (cd "$SOURCE" && run cp -r --parents -t "$RELEASE" $PARTS)
    run find "$RELEASE" -name __pycache__ -prune -exec rm -rf {} +
    run ln -s "$PACKAGES" "$RELEASE/.venv"
    run "$PACKAGES/bin/python" -m compileall -q "$RELEASE/ldp" "$RELEASE/surveys" "$RELEASE/worker"
    run chmod -R go+rX "$RELEASE"
    run touch "$RELEASE/complete"
}

# The new version says whether it can take over before anything is touched, and while it changes the database no other
# version works on it but the intake and the pages, whose statements stay valid (docs/operators/runbook.md, Upgrade).
migrate() {
    step "Check and tables of the database"
    with_release check --deploy --database default || refuse "This version and this machine do not fit: see above."
    [ -n "$DRY" ] || ! with_release migrate --check >/dev/null || return 0
    systemctl_for stop $(installed $WORKERS)
    with_release migrate --no-input --verbosity 0 || {
        systemctl_for start $(installed $WORKERS)
        refuse "The database could not be changed: see above. The version before goes on."
    }
}

activate() {
    [ "$(readlink $CODE || true)" = "$RELEASE" ] || RESTART=1
    run ln -sfn "$RELEASE" $CODE
}

# Intake (which starts the process that signs for invitations by itself), pages, schedule, workers, estimates; the check
# before intake and pages.
units() {
    step "Units of systemd"
    CHANGED=''
    for unit in "$SOURCE"/docs/deploy/systemd/*.service; do
        write "$SYSTEMD/${unit##*/}" <"$unit"
    done
    run systemctl daemon-reload
    systemctl_for "enable --quiet" $UNITS
    # Not the check, for which intake and pages would wait: this version has just been checked.
    [ -z "$RESTART$CHANGED" ] || systemctl_for restart ${UNITS#deniable-check }
    systemctl_for start $UNITS
}

# nginx's configuration is checked before it takes the present one's place.
proxy() {
    local only_v4=''
    step "nginx"
    [ -e $CERTIFICATE ] || self_signed
    [ -e /etc/nginx/nginx.conf.debian ] || run cp -p /etc/nginx/nginx.conf /etc/nginx/nginx.conf.debian
    run install -d -m 755 $CHALLENGES
    [ -e /proc/net/if_inet6 ] || only_v4='/listen \[::\]/d' # a kernel without IPv6
    write /etc/nginx/deniable.new < <(sed -e "$only_v4" -e "s/survey\.example\.org/$SITE/g" -e "s/staff\.example\.org/$STAFF/g" \
        -e 's/server \(intake\|pages\):/server 127.0.0.1:/' "$SOURCE/docs/deploy/nginx.conf")
    run nginx -q -t -c /etc/nginx/deniable.new
    run mv /etc/nginx/deniable.new /etc/nginx/nginx.conf
    run systemctl enable --quiet --now nginx
    reload_nginx
}

# nginx says that it reloads before it knows whether it can, and where it cannot, its configuration from before goes on:
# only a new process of it tells that the new one holds.
reload_nginx() {
    local before
    [ -n "$DRY" ] || before=$(nginx_processes)
    run systemctl reload nginx
    [ -z "$DRY" ] || return 0
    for _ in $(seq 50); do
        [ -z "$(comm -13 <(say "$before") <(nginx_processes))" ] || return 0
        sleep 0.1
    done
    refuse "nginx goes on with its configuration from before; /var/log/nginx/error.log says why. systemctl restart nginx takes the new one."
}

nginx_processes() {
    sort "/sys/fs/cgroup$(systemctl show --property ControlGroup --value nginx)/cgroup.procs"
}

# Whether one is named, or the one that is here is not for these names: then it comes as the one before did.
certificate_needed() {
    [ -z "$CERTIFY" ] || return 0
    CERTIFY=$(cat /etc/nginx/certified 2>/dev/null || true)
    CERTIFY=${CERTIFY:-certbot}
    [ -e /etc/nginx/certified ] || return 0
    for name in $(names); do
        openssl x509 -noout -checkhost "$name" -in $CERTIFICATE 2>/dev/null | grep -q 'does match' || return 0
    done
    return 1
}

# The site's own two, and others in the settings under which it was known before, which lead to it.
names() {
    say "$SITE" "$STAFF"
    for name in $(present ALLOWED_HOSTS | tr , ' '); do
        if is_host "$name" && [[ $name =~ \.[a-z]+$ ]]; then say "$name"; fi
    done
}

# From the first time on certbot renews by its own timer and runs the hook.
certificate() {
    [ -n "$CERTIFY" ] || return 0
    step "Certificate: $CERTIFY"
    case $CERTIFY in
    self-signed) self_signed ;;
    certbot)
        write /etc/letsencrypt/renewal-hooks/deploy/deniable <<-HOOK
			#!/bin/sh
			set -e
			install -m 644 "\$RENEWED_LINEAGE/fullchain.pem" $CERTIFICATE
			install -m 600 "\$RENEWED_LINEAGE/privkey.pem" $KEY
			nginx -q -t
			systemctl reload nginx
		HOOK
        run chmod 755 /etc/letsencrypt/renewal-hooks/deploy/deniable
        run certbot certonly --non-interactive --agree-tos --register-unsafely-without-email --keep-until-expiring \
            --webroot --webroot-path $CHALLENGES --cert-name deniable --renew-with-new-domains \
            $(printf -- '-d %s ' $(names))
        run env RENEWED_LINEAGE=/etc/letsencrypt/live/deniable /etc/letsencrypt/renewal-hooks/deploy/deniable
        ;;
    *) run "$CERTIFY" "$SITE" "$STAFF" $CERTIFICATE $KEY ;;
    esac
    run nginx -q -t
    reload_nginx
    write /etc/nginx/certified <<<"$CERTIFY"
}

self_signed() {
    run openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj "/CN=$SITE" \
        -addext "subjectAltName=$(printf 'DNS:%s\n' $(names) | paste -sd ,)" -keyout $KEY -out $CERTIFICATE 2>/dev/null
    run chmod 600 $KEY
}

# The first account; everybody else is invited. Its password is printed, this once.
owner() {
    [ -n "$OWNER" ] || return 0
    [ "$(query "SELECT 1 FROM auth_user WHERE is_superuser LIMIT 1")" ] || run_site owner "$OWNER"
}

# All parts have started, and count.
working() {
    step "Status"
    [ -z "$DRY" ] || return 0
    for _ in $(seq 60); do
        ! status || return 0
        sleep 2
    done
    refuse "Not all parts work: systemctl --failed, and journalctl -u 'deniable-*' --since -5m."
}

upgrade_site() {
    SITE=$(present_host SITE_URL) STAFF=$(present_host STAFF_URL)
    [ -n "$SITE" ] || refuse "There is no site here that could be upgraded: run $0 install."
    install_site
    # The version before stays, to go back to where nothing was changed in the database.
    for old in $(ls -dt $RELEASES/[0-9]*/ 2>/dev/null | tail -n +3); do
        run rm -rf "$old"
    done
    for old in "$RELEASES"/packages-*; do
        readlink $RELEASES/*/.venv | grep -x "$old" >/dev/null || run rm -rf "$old"
    done
    say "The site runs version $(version_of "$SOURCE")."
}

# What cannot be made anew: the database, the book of invitations, the log's key and the settings. It holds the reports
# that wait, and the keys: encrypt it, and delete it when there is a newer one.
back_up() {
    [ -n "$FOLDER" ] || refuse "Name the folder: $0 backup /var/backups/deniable"
    [ ! -e "$FOLDER" ] || refuse "$FOLDER is there already: name another folder."
    [ -n "$DRY" ] || trap backup_failed EXIT
    suitable_dump
    run install -d -m 700 "$FOLDER"
    # As the site's role: the removal of traces waits for it, and not for another role. Through a pipe, since pg_dump 17
    # adds its table of contents to a file again, and what lacks at such an end is not missed.
    [ -n "$DRY" ] || (umask 077 && runuser -u deniable -- pg_dump --format custom deniable | cat >"$FOLDER/database.dump")
    # The site's account may have put a link anywhere in its folder: it reads there itself, and root does not.
    if [ -e $DATA/invitations/invitations.sqlite3 ]; then
        # With the uses of the last count alone, so that two backups tell of no single one.
        run_site copy_invitations $DATA/invitations.copy
        as_site cat $DATA/invitations.copy | keep invitations.sqlite3
        as_site rm -f $DATA/invitations.copy
    fi
    [ ! -e $DATA/log_key ] || as_site cat $DATA/log_key | keep log_key
    run cp $SETTINGS "$FOLDER/deniable.env"
    run chmod -R go= "$FOLDER"
    trap - EXIT
    as_site rm -f $DATA/backup_failed
    as_site touch $DATA/backup_done
    say "The backup is in $FOLDER: $(du -sh "$FOLDER" 2>/dev/null | cut -f1). It holds keys and waiting reports: encrypt it."
}

# An older pg_dump refuses in the middle of a backup; Debian's newest serves every cluster of this machine.
suitable_dump() {
    local dump server
    [ -z "$DRY" ] || return 0
    dump=$(runuser -u deniable -- pg_dump --version | grep -oE '[0-9]+' | head -n 1) || refuse "There is no pg_dump."
    server=$(query "SHOW server_version_num")
    [ -n "$server" ] || refuse "The database does not answer: systemctl status 'postgresql@*'."
    [ "$dump" -ge $((server / 10000)) ] ||
        refuse "pg_dump is of version $dump, the server of version $((server / 10000)). Run: apt-get install postgresql-client-$((server / 10000))"
}

# The site's owners and OPERATOR_MAIL hear of it within a minute (surveys/operation/troubles.py).
backup_failed() {
    as_site touch $DATA/backup_failed || true
    [ ! -d "$FOLDER" ] || rm -rf "$FOLDER"
    say "The backup failed, and its folder is removed." >&2
}

# The names stay those of this machine; the keys are those of the backup. All of it is looked at before anything changes.
restore_site() {
    suitable_backup
    SITE=$(present_host SITE_URL) STAFF=$(present_host STAFF_URL)
    [ -n "$SITE" ] || refuse "There is no site here: run $0 install first."
    suitable_database "$(with_dump pg_restore --data-only --table django_migrations --file - |
        awk '$2 == "surveys" { print $3 }' | sort | tail -n 1)"
    step "Restore from $FOLDER"
    systemctl_for stop $UNITS
    run runuser -u postgres -- dropdb --if-exists deniable
    write $SETTINGS < <(kept deniable.env)
    run chmod 600 $SETTINGS
    [ ! -e "$FOLDER/log_key" ] || kept log_key | put $DATA/log_key
    as_site install -d -m 700 $DATA/invitations
    if [ -e "$FOLDER/invitations.sqlite3" ]; then
        as_site rm -f $DATA/invitations/invitations.sqlite3-wal $DATA/invitations/invitations.sqlite3-shm
        kept invitations.sqlite3 | put $DATA/invitations/invitations.sqlite3
    fi
    database
    [ -n "$DRY" ] || with_dump runuser -u deniable -- pg_restore --no-owner --exit-on-error --dbname deniable
    RESTART=1
    install_site
    say "Restored. For each survey run: deniable recount SLUG. It has to equal the release."
}

# A folder can come from elsewhere, or have suffered on its way.
suitable_backup() {
    local name
    [ -n "$FOLDER" ] && [ -e "$FOLDER/database.dump" ] || refuse "Name the folder that $0 backup has made."
    for name in database.dump deniable.env log_key invitations.sqlite3; do
        [ ! -L "$FOLDER/$name" ] || refuse "$FOLDER/$name is a link, and a backup has none."
        [ -f "$FOLDER/$name" ] || [ ! -e "$FOLDER/$name" ] || refuse "$FOLDER/$name is no file."
    done
    [ -s "$FOLDER/deniable.env" ] || refuse "$FOLDER has no deniable.env: it is no whole backup."
    # Read to its end, since a damaged one may begin well.
    with_dump pg_restore --file /dev/null 2>/dev/null ||
        refuse "$FOLDER/database.dump is no backup of this PostgreSQL or an older one, or it is damaged."
    [ ! -e "$FOLDER/invitations.sqlite3" ] || kept invitations.sqlite3 | is_whole_sqlite ||
        refuse "$FOLDER/invitations.sqlite3 is no book of invitations, or a damaged one."
    [ ! -e "$FOLDER/log_key" ] || kept log_key | grep -q '^PRIVATE+KEY+' ||
        refuse "$FOLDER/log_key is no key of the log, or a damaged one."
    suitable_settings
}

# The units run with all that is in the settings: nothing in them may be more than a setting.
suitable_settings() {
    local pairs name
    pairs=$(kept deniable.env | settings_in "$FOLDER/deniable.env") || exit 1
    for name in $(cut -d= -f1 <<<"$pairs"); do
        grep -q "\"$name\"" "$SOURCE/surveys/settings.py" || grep -q "^$name=" $SETTINGS 2>/dev/null ||
            refuse "$FOLDER/deniable.env: $name must be a setting of this version."
    done
}

# Run twice, nothing that the key of today signed is worth anything: everybody signs in again. Second factors stay.
rotate_key() {
    local before
    before=$(present SECRET_KEY) SITE=$(present_host SITE_URL)
    [ -n "$SITE" ] || refuse "There is no site here: run $0 install first."
    step "A new SECRET_KEY in $SETTINGS"
    write $SETTINGS < <(sed -e '/^SECRET_KEY_FALLBACKS=/d' -e "s|^SECRET_KEY=.*|SECRET_KEY=$(secret)|" $SETTINGS &&
        echo "SECRET_KEY_FALLBACKS=\"$before\"")
    systemctl_for restart ${UNITS#deniable-check }
    run_site renew_factors
    working
}

uninstall_site() {
    systemctl_for "disable --quiet --now" $(installed $UNITS)
    run rm -f $SYSTEMD/deniable-*.service /usr/local/sbin/deniable $CODE
    [ ! -e /etc/letsencrypt/live/deniable ] || run certbot delete --quiet --non-interactive --cert-name deniable
    run rm -f /etc/letsencrypt/renewal-hooks/deploy/deniable /etc/nginx/certified
    run systemctl daemon-reload
    run rm -rf $RELEASES
    if [ -e /etc/nginx/nginx.conf.debian ]; then
        run mv /etc/nginx/nginx.conf.debian /etc/nginx/nginx.conf
        run systemctl restart nginx
    fi
    if [ -z "$WITH_DATA" ]; then
        say "The site is gone; $SETTINGS, $DATA and the database deniable stay. Debian's packages stay too."
        return
    fi
    run runuser -u postgres -- dropdb --if-exists deniable
    run runuser -u postgres -- dropuser --if-exists deniable
    run rm -f /etc/postgresql/*/main/conf.d/deniable.conf
    run systemctl reload postgresql
    run userdel deniable
    run rm -rf $DATA $SETTINGS $CERTIFICATE $KEY
    say "The site and its data are gone. Debian's packages stay, and so do backups."
}

# Tools -----------------------------------------------------------------------------------------------------------------

CHANGED='' # whether `write` has changed a file
RESTART='' # whether the running parts have to start again

say() { printf '%s\n' "$*"; }
step() { printf '\n== %s\n' "$*"; }
refuse() {
    printf '%s\n' "$*" >&2
    exit 1
}

run() {
    [ -z "$DRY" ] || { say "   $*" && return; }
    "$@"
}

# Standard input as a file; one that says the same already is left alone.
write() {
    local new
    new=$(mktemp)
    cat >"$new"
    if ! cmp -s "$new" "$1"; then
        CHANGED=1
        if [ -n "$DRY" ]; then say "   writes $1"; else install -D -m "$(mode_of "$1")" "$new" "$1"; fi
    fi
    rm -f "$new"
}

# A file of the backup, and never what a link in its place leads to.
kept() { dd if="$FOLDER/$1" iflag=nofollow bs=1M status=none; }
# A program whose input is the dump, as such a file: pg_restore 17 may end before the file does, and a pipe would then break.
with_dump() {
    python3 -c "
import os, sys
os.dup2(os.open(sys.argv[1], os.O_RDONLY | os.O_NOFOLLOW), 0)
os.execvp(sys.argv[2], sys.argv[2:])" "$FOLDER/database.dump" "$@"
}
# Standard input as a new file of the backup.
keep() { if [ -n "$DRY" ]; then cat >/dev/null && say "   writes $FOLDER/$1"; else (umask 077 && set -C && cat >"$FOLDER/$1"); fi; }
as_site() { run runuser -u deniable -- "$@"; }
# Standard input as a file of the site's, which its account writes.
put() {
    [ -z "$DRY" ] || { cat >/dev/null && say "   writes $1" && return; }
    runuser -u deniable -- sh -c 'umask 077 && cat >"$1.new" && mv -T "$1.new" "$1"' sh "$1"
}

is_whole_sqlite() {
    python3 -c "
import sqlite3, sys, tempfile
with tempfile.NamedTemporaryFile() as file:
    file.write(sys.stdin.buffer.read())
    file.flush()
    try:
        book = sqlite3.connect(f'file:{file.name}?mode=ro&immutable=1', uri=True)
        tables, said = book.execute('SELECT count(*) FROM sqlite_master').fetchone(), book.execute('PRAGMA integrity_check').fetchall()
        whole = tables != (0,) and said == [('ok',)]
    except sqlite3.Error:
        whole = False
sys.exit(not whole)"
}

mode_of() { if [ "$1" = $SETTINGS ]; then echo 600; else stat -c %a "$1" 2>/dev/null || echo 644; fi; }
secret() { head -c 48 /dev/urandom | base64 -w 0 | tr '+/' '-_'; }
is_host() { [[ $1 =~ ^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$ ]]; }
present() { [ ! -r $SETTINGS ] || settings_in $SETTINGS <$SETTINGS | sed -n "s/^$1=//p" | tail -n 1; }
present_host() { present "$1" | sed 's|^https://||'; }
version_of() { sed -n 's/^__version__ = "\(.*\)"/\1/p' "$1/surveys/__init__.py"; }
installed() { for unit in "$@"; do [ ! -e "$SYSTEMD/${unit/@*/@}.service" ] || say "$unit"; done; }
# Two workers, and others that are enabled or run.
list_units() {
    local workers
    workers=$({
        printf 'deniable-worker@%s.service\n' 1 2
        ls $SYSTEMD/multi-user.target.wants 2>/dev/null || true
        systemctl list-units --plain --no-legend --state active 'deniable-worker@*' 2>/dev/null | cut -d' ' -f1 || true
    } | sed -n 's/^\(deniable-worker@.*\)\.service$/\1/p' | sort -u)
    WORKERS=$(say deniable-schedule $workers deniable-estimates)
    UNITS="deniable-check deniable-intake deniable-pages $WORKERS"
}
systemctl_for() {
    [ $# = 1 ] || run systemctl $1 "${@:2}"
}
psql_as_postgres() { runuser -u postgres -- psql -At -c "$1" 2>/dev/null || true; }
query() { runuser -u deniable -- psql -At -d deniable -c "$1" 2>/dev/null || true; }

status() {
    python3 -c "
from urllib.request import Request, urlopen
site = {'Host': '$SITE', 'X-Forwarded-Proto': 'https'}
print(urlopen(Request('http://127.0.0.1:8001/status', headers=site), timeout=5).read().decode())" 2>/dev/null
}

# The settings of a file on standard input, as NAME=value. No shell acts on a value; what systemd would read differently
# is refused, by the name of the file that is given.
settings_in() {
    local line number=0
    while read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        [[ $line =~ ^(#|#.*[^\\])?$ ]] && continue
        [[ $line =~ $SETTING ]] || refuse "$1, line $number: must be NAME=value or NAME=\"value\", and a value has no \", \\ or line end of Windows, and begins with no space."
        say "${BASH_REMATCH[1]}=${BASH_REMATCH[3]}${BASH_REMATCH[4]}${BASH_REMATCH[5]}"
    done
}

# manage.py of the code in a folder, as the site's account and with its settings.
manage() {
    local pairs pair code=$1
    shift
    pairs=$(settings_in $SETTINGS <$SETTINGS) || exit 1
    while IFS= read -r pair; do [ -z "$pair" ] || export "$pair"; done <<<"$pairs"
    cd "$code" && exec runuser -u deniable -- .venv/bin/python manage.py "$@"
}

run_site() { if [ -n "$DRY" ]; then say "   manage.py $*"; else (manage $CODE "$@"); fi; }

# Of the release that is not active yet.
with_release() { if [ -n "$DRY" ]; then say "   manage.py $*"; else (manage "$RELEASE" "$@"); fi; }

main "$@"
