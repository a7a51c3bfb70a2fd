#!/bin/bash
# Sets up a site on its own machine, from a bare Debian 12 or 13. The functions are in the order of the installation.
#
#   docs/deploy/install.sh install --site survey.example.org --staff staff.example.org --owner ada
#   docs/deploy/install.sh upgrade            from the checkout of the new version
#   docs/deploy/install.sh backup FOLDER      the site keeps running
#   docs/deploy/install.sh restore FOLDER     replaces the data of the site on this machine
#   docs/deploy/install.sh rotate-key         a new SECRET_KEY; signatures of the old key stay valid until the next rotation
#   docs/deploy/install.sh uninstall          keeps the data; --with-data deletes them
#
# --certificate certbot       Let's Encrypt, renewed by certbot's timer (the default; both names must lead to this machine)
# --certificate self-signed   for a trial: browsers show a warning
# --certificate PROGRAM       runs as PROGRAM SITE STAFF CERTIFICATE KEY and writes the two PEM files
# --formats                   adds downloads as Parquet, SPSS and Stata (271 MB)
# --dry-run                   prints the steps and changes nothing
#
# The script keeps what it finds, so you can run a command again: after a failure, or to change a name.
# shellcheck disable=SC1090,SC1091,SC2012,SC2046,SC2086  # lists split into words on purpose
set -euo pipefail
umask 022

SOURCE=$(cd "$(dirname "$0")/../.." && pwd)
CODE=/srv/deniable              # a link to the running release
RELEASES=/srv/deniable-releases # the code of each version, and its Python packages
PARTS="manage.py ldp surveys worker"
DATA=/var/lib/deniable
SETTINGS=/etc/deniable.env
SYSTEMD=/etc/systemd/system
CERTIFICATE=/etc/nginx/certificate.pem
KEY=/etc/nginx/key.pem
# A setting that systemd and this script read alike: the value is quoted, or does not begin with a quote or a space.
SETTING=$'^([A-Z][A-Z0-9_]*)=("([^"\\\\[:cntrl:]]*)"|\'([^\'\\\\[:cntrl:]]*)\'|([^"\' \\\\[:cntrl:]][^"\\\\[:cntrl:]]*)?)[[:blank:]]*$'
CHALLENGES=/var/www/deniable # certbot's files, which prove that a name leads to this machine

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
        -*) refuse "$1 is not an option of $0." ;;
        *) FOLDER=$1 ;;
        esac
        shift
    done
    [ -z "$FOLDER" ] || FOLDER=$(realpath -m "$FOLDER")
    case $CERTIFY in
    '' | certbot | self-signed) ;;
    *) CERTIFY=$(realpath "$(type -P "$CERTIFY")" 2>/dev/null) || refuse "--certificate must be certbot, self-signed or a program." ;;
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
    is_host "$SITE" || refuse "--site is the host name for respondents, for example survey.example.org."
    is_host "$STAFF" || refuse "--staff is the host name for staff, for example staff.example.org."
    [ "$SITE" != "$STAFF" ] || refuse "--staff must differ from --site: staff work on a separate host."
    suitable_machine
    suitable_database "$(query "SELECT max(name) FROM django_migrations WHERE app = 'surveys'")"
    certificate_needed || CERTIFY=''
    [[ "$CERTIFY" != /* ]] || [ -x "$CERTIFY" ] || refuse "$CERTIFY, which got the last certificate, is missing: name a program with --certificate."
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
    say "The site is at https://$SITE/; staff sign in at https://$STAFF/surveys/."
}

# The script knows the packages of these two Debian versions only.
suitable_machine() {
    . /etc/os-release
    case "$ID $VERSION_ID" in
    "debian 12" | "debian 13") ;;
    *) refuse "This is ${PRETTY_NAME:-$ID}, but the script needs Debian 12 or 13. For other systems, use docs/deploy/compose.yaml." ;;
    esac
}

# This version cannot read a database that a later version has changed.
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

# Wait for another apt-get first: a new machine often runs one itself. Retry a failed download.
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

# The site signs in through the socket, by its account on this machine: no password exists that could leak.
database() {
    step "PostgreSQL: role, database and how long the write-ahead log keeps reports"
    run systemctl enable --quiet --now postgresql
    [ "$(psql_as_postgres "SELECT 1 FROM pg_roles WHERE rolname = 'deniable'")" ] ||
        run runuser -u postgres -- createuser deniable
    [ "$(psql_as_postgres "SELECT 1 FROM pg_database WHERE datname = 'deniable'")" ] ||
        run runuser -u postgres -- createdb --owner deniable --encoding UTF8 --locale C.UTF-8 --template template0 deniable
    # Debian's defaults acknowledge a commit once it is on the disk; the site requires that. The settings below remove the
    # log, which holds every report with its time, within minutes: docs/operators/inside.md, Traces outside of the system.
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

# Lost messages do no harm: the database is the source of truth. A file of messages would reveal when a user signed in.
broker() {
    step "Redis, without files"
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

# The environment of the units. After you edit the file, run `systemctl restart 'deniable-*'`.
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
		# Runs the site's manage.py with its account and settings: deniable check --deploy
		$(declare -p SETTINGS SETTING && declare -f say refuse settings_in manage)
		manage $CODE "\$@"
	SCRIPT
    run chmod 755 /usr/local/sbin/deniable
}

# Releases with the same Python packages share one folder. The file `complete` marks a folder as finished: before that,
# nothing uses the folder.
python_packages() {
    local digest
    [ -n "$FORMATS" ] || ! compgen -G "$CODE/.venv/lib/python3*/site-packages/pyarrow" >/dev/null || FORMATS=1
    digest=$(cd "$SOURCE" && { echo "$FORMATS" && python3 -V && cat requirements.txt requirements-formats.txt; } 2>/dev/null |
        sha256sum | cut -c-12)
    PACKAGES=$RELEASES/packages-$digest
    [ ! -e "$PACKAGES/complete" ] || return 0
    step "Python packages, in $PACKAGES"
    run rm -rf "$PACKAGES"
    run mkdir -p $RELEASES
    run python3 -m venv "$PACKAGES"
    for list in requirements${FORMATS:+ requirements-formats}; do
        run "$PACKAGES/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$SOURCE/$list.txt"
    done
    run chmod -R go+rX "$PACKAGES"
    run touch "$PACKAGES/complete"
}

# Copies the code of this checkout.
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

# The new version checks the machine before anything changes. While it changes the database, only the old intake and pages
# run: their statements stay valid (docs/operators/runbook.md, Upgrade).
migrate() {
    step "Check and tables of the database"
    with_release check --deploy --database default || refuse "This version cannot run on this machine: see above."
    [ -n "$DRY" ] || ! with_release migrate --check >/dev/null || return 0
    systemctl_for stop $(installed $WORKERS)
    with_release migrate --no-input --verbosity 0 || {
        systemctl_for start $(installed $WORKERS)
        refuse "The database could not be changed: see above. The old version keeps running."
    }
}

activate() {
    [ "$(readlink $CODE || true)" = "$RELEASE" ] || RESTART=1
    run ln -sfn "$RELEASE" $CODE
}

# Intake (which also starts the process that signs invitations), pages, schedule, workers, estimates. The check runs
# before intake and pages.
units() {
    step "Units of systemd"
    CHANGED=''
    for unit in "$SOURCE"/docs/deploy/systemd/*.service; do
        write "$SYSTEMD/${unit##*/}" <"$unit"
    done
    run systemctl daemon-reload
    systemctl_for "enable --quiet" $UNITS
    # Intake and pages would wait for the check; this version has just passed it.
    [ -z "$RESTART$CHANGED" ] || systemctl_for restart ${UNITS#deniable-check }
    systemctl_for start $UNITS
}

# nginx checks the new configuration before the file replaces the present one.
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

# A reload reports success before nginx has read the new configuration. If nginx cannot use it, the old one stays: only a
# new nginx process proves that the new one is in use.
reload_nginx() {
    local before
    [ -n "$DRY" ] || before=$(nginx_processes)
    run systemctl reload nginx
    [ -z "$DRY" ] || return 0
    for _ in $(seq 50); do
        [ -z "$(comm -13 <(say "$before") <(nginx_processes))" ] || return 0
        sleep 0.1
    done
    refuse "nginx still uses its old configuration; /var/log/nginx/error.log says why. To use the new one: systemctl restart nginx"
}

nginx_processes() {
    sort "/sys/fs/cgroup$(systemctl show --property ControlGroup --value nginx)/cgroup.procs"
}

# True if an option asks for a certificate, or the present one lacks a name: then it comes from the same source as before.
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

# The site's two names, and its former names from the settings, which still lead to it.
names() {
    say "$SITE" "$STAFF"
    for name in $(present ALLOWED_HOSTS | tr , ' '); do
        if is_host "$name" && [[ $name =~ \.[a-z]+$ ]]; then say "$name"; fi
    done
}

# Later, certbot's timer renews the certificate and runs the hook.
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

# Creates the first account and prints its password once; all other users are invited.
owner() {
    [ -n "$OWNER" ] || return 0
    [ "$(query "SELECT 1 FROM auth_user WHERE is_superuser LIMIT 1")" ] || run_site owner "$OWNER"
}

# Waits until all parts have started and count reports.
working() {
    step "Status"
    [ -z "$DRY" ] || return 0
    for _ in $(seq 60); do
        ! status || return 0
        sleep 2
    done
    refuse "Not all parts work. Look with: systemctl --failed, and journalctl -u 'deniable-*' --since -5m."
}

upgrade_site() {
    SITE=$(present_host SITE_URL) STAFF=$(present_host STAFF_URL)
    [ -n "$SITE" ] || refuse "There is no site to upgrade here: run $0 install."
    install_site
    # The last version stays: you can go back to it if the upgrade did not change the database.
    for old in $(ls -dt $RELEASES/[0-9]*/ 2>/dev/null | tail -n +3); do
        run rm -rf "$old"
    done
    for old in "$RELEASES"/packages-*; do
        readlink $RELEASES/*/.venv | grep -x "$old" >/dev/null || run rm -rf "$old"
    done
    say "The site runs version $(version_of "$SOURCE")."
}

# Copies what cannot be made again: the database, the book of invitations, the log's key and the settings. A backup holds
# keys and waiting reports: encrypt it, and delete it once there is a newer one.
back_up() {
    [ -n "$FOLDER" ] || refuse "Name the folder: $0 backup /var/backups/deniable"
    [ ! -e "$FOLDER" ] || refuse "$FOLDER exists already: name another folder."
    [ -n "$DRY" ] || trap backup_failed EXIT
    suitable_dump
    run install -d -m 700 "$FOLDER"
    # The removal of traces waits for a dump of the site's role only. The pipe matters: into a file, pg_dump 17 writes its
    # table of contents twice, and no one would notice a missing end.
    [ -n "$DRY" ] || (umask 077 && runuser -u deniable -- pg_dump --format custom deniable | cat >"$FOLDER/database.dump")
    # The site's account could have put links into its folder, so that account reads there, not root.
    if [ -e $DATA/invitations/invitations.sqlite3 ]; then
        # The copy has the uses up to the last count only: two backups then do not reveal a single use.
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

# A pg_dump older than the server would fail halfway; Debian's newest one serves every cluster of this machine.
suitable_dump() {
    local dump server
    [ -z "$DRY" ] || return 0
    dump=$(runuser -u deniable -- pg_dump --version | grep -oE '[0-9]+' | head -n 1) || refuse "There is no pg_dump."
    server=$(query "SHOW server_version_num")
    [ -n "$server" ] || refuse "The database does not answer: systemctl status 'postgresql@*'."
    [ "$dump" -ge $((server / 10000)) ] ||
        refuse "pg_dump has version $dump, the server version $((server / 10000)). Run: apt-get install postgresql-client-$((server / 10000))"
}

# The site's owners and OPERATOR_MAIL get an email within a minute (surveys/operation/troubles.py).
backup_failed() {
    as_site touch $DATA/backup_failed || true
    [ ! -d "$FOLDER" ] || rm -rf "$FOLDER"
    say "The backup failed; its folder was removed." >&2
}

# This machine keeps its names and gets the backup's keys. The script checks the whole backup before it changes anything.
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
    say "Restored. For each survey run: deniable recount SLUG. The result must equal the release."
}

# The backup may come from another machine, or be damaged.
suitable_backup() {
    local name
    [ -n "$FOLDER" ] && [ -e "$FOLDER/database.dump" ] || refuse "Name the folder that $0 backup has made."
    for name in database.dump deniable.env log_key invitations.sqlite3; do
        [ ! -L "$FOLDER/$name" ] || refuse "$FOLDER/$name is a link; a backup has no links."
        [ -f "$FOLDER/$name" ] || [ ! -e "$FOLDER/$name" ] || refuse "$FOLDER/$name is not a file."
    done
    [ -s "$FOLDER/deniable.env" ] || refuse "$FOLDER has no deniable.env: the backup is incomplete."
    # Read to the end: a damaged dump may begin well.
    with_dump pg_restore --file /dev/null 2>/dev/null ||
        refuse "$FOLDER/database.dump is not a backup of this PostgreSQL version or an older one, or it is damaged."
    [ ! -e "$FOLDER/invitations.sqlite3" ] || kept invitations.sqlite3 | is_whole_sqlite ||
        refuse "$FOLDER/invitations.sqlite3 is not a book of invitations, or it is damaged."
    [ ! -e "$FOLDER/log_key" ] || kept log_key | grep -q '^PRIVATE+KEY+' ||
        refuse "$FOLDER/log_key is not a key of the log, or it is damaged."
    suitable_settings
}

# Every line of the settings enters the environment of the units: only known settings may be there.
suitable_settings() {
    local pairs name
    pairs=$(kept deniable.env | settings_in "$FOLDER/deniable.env") || exit 1
    for name in $(cut -d= -f1 <<<"$pairs"); do
        grep -q "\"$name\"" "$SOURCE/surveys/settings.py" || grep -q "^$name=" $SETTINGS 2>/dev/null ||
            refuse "$FOLDER/deniable.env: $name must be a setting of this version."
    done
}

# After a second run the key of today is worthless and all users sign in again. Second factors stay.
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
        say "The site is removed; $SETTINGS, $DATA and the database deniable stay. Debian's packages stay too."
        return
    fi
    run runuser -u postgres -- dropdb --if-exists deniable
    run runuser -u postgres -- dropuser --if-exists deniable
    run rm -f /etc/postgresql/*/main/conf.d/deniable.conf
    run systemctl reload postgresql
    run userdel deniable
    run rm -rf $DATA $SETTINGS $CERTIFICATE $KEY
    say "The site and its data are removed. Debian's packages and the backups stay."
}

# Tools -----------------------------------------------------------------------------------------------------------------

CHANGED='' # not empty once `write` has changed a file
RESTART='' # not empty if the running parts must restart

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

# Writes standard input to a file, unless the file has that content already.
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

# Prints a file of the backup; refuses a link.
kept() { dd if="$FOLDER/$1" iflag=nofollow bs=1M status=none; }
# Runs a program with the dump as its input: a file, since pg_restore 17 may stop before the end, which breaks a pipe.
with_dump() {
    python3 -c "
import os, sys
os.dup2(os.open(sys.argv[1], os.O_RDONLY | os.O_NOFOLLOW), 0)
os.execvp(sys.argv[2], sys.argv[2:])" "$FOLDER/database.dump" "$@"
}
# Writes standard input to a new file of the backup.
keep() { if [ -n "$DRY" ]; then cat >/dev/null && say "   writes $FOLDER/$1"; else (umask 077 && set -C && cat >"$FOLDER/$1"); fi; }
as_site() { run runuser -u deniable -- "$@"; }
# Writes standard input to a file of the site, by the site's account.
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
# Two workers, and any others that are enabled or running.
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

# Prints the settings from standard input as NAME=value. No shell evaluates a value. The function refuses a line that
# systemd would read differently; $1 is the file's name for that message.
settings_in() {
    local line number=0
    while read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        [[ $line =~ ^(#|#.*[^\\])?$ ]] && continue
        [[ $line =~ $SETTING ]] || refuse "$1, line $number: must be NAME=value or NAME=\"value\", and a value has no \", \\ or line end of Windows, and begins with no space."
        say "${BASH_REMATCH[1]}=${BASH_REMATCH[3]}${BASH_REMATCH[4]}${BASH_REMATCH[5]}"
    done
}

# Runs manage.py of a folder's code with the site's account and settings.
manage() {
    local pairs pair code=$1
    shift
    pairs=$(settings_in $SETTINGS <$SETTINGS) || exit 1
    while IFS= read -r pair; do [ -z "$pair" ] || export "$pair"; done <<<"$pairs"
    cd "$code" && exec runuser -u deniable -- .venv/bin/python manage.py "$@"
}

run_site() { if [ -n "$DRY" ]; then say "   manage.py $*"; else (manage $CODE "$@"); fi; }

# Runs manage.py of the new release before it is active.
with_release() { if [ -n "$DRY" ]; then say "   manage.py $*"; else (manage "$RELEASE" "$@"); fi; }

main "$@"
