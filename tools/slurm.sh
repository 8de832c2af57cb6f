#!/bin/sh
# Starts a Slurm cluster of several nodes on this machine, for tests: a controller, its accounts
# if MariaDB and slurmdbd are here, and one slurmd for each node. All files are in one folder, and
# nothing listens but on the loopback interface. ACCOUNTS=no in the environment: no accounts.
# usage: slurm.sh missing                 prints what is not installed
#        slurm.sh start FOLDER NODE[:FEATURE]…
#        slurm.sh stop FOLDER             ends what start has started
#        slurm.sh controller FOLDER stop|start
#        slurm.sh node FOLDER NODE kill|start
# Then SLURM_CONF=FOLDER/slurm.conf squeue, and so on.
set -eu
unset CDPATH
PATH=$PATH:/usr/sbin:/sbin
self=$(cd -- "$(dirname -- "$0")" && pwd)/slurm.sh

fail() {
    echo "slurm.sh: $*" >&2
    exit 1
}
missing() {
    for program in munged slurmctld slurmd sbatch squeue scontrol; do
        command -v "$program" >/dev/null || echo "$program"
    done
}
# Waits until a command succeeds. usage: await SECONDS WHAT COMMAND…
await() {
    seconds=$1 what=$2
    shift 2
    left=$((seconds * 10))
    # A command of Slurm's tries for minutes if nobody answers.
    until timeout 3 "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || fail "no $what after $seconds s; see the logs in $folder"
        sleep 0.1
    done
}
# Starts a daemon that stays in the foreground, and notes its process.
# usage: daemon NAME COMMAND…
daemon() {
    name=$1
    shift
    # The process must outlive this script and its terminal.
    setsid "$@" >"$folder/$name.out" 2>&1 </dev/null &
    echo $! >"$folder/$name.pid"
}
# Ends a daemon and waits for its end. usage: end NAME SIGNAL
end() {
    [ -f "$folder/$1.pid" ] || return 0
    pid=$(cat "$folder/$1.pid")
    kill -"$2" "$pid" 2>/dev/null || true
    left=100
    while kill -0 "$pid" 2>/dev/null; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || { kill -KILL "$pid" 2>/dev/null || true; break; }
        sleep 0.1
    done
    rm -f "$folder/$1.pid"
}
# Ends every process below a process, the process included: a machine that loses its power.
kill_tree() {
    for child in $(ps -o pid= --ppid "$1"); do kill_tree "$child"; done
    kill -KILL "$1" 2>/dev/null || true
}
# Ends the jobs of a node, and the processes that watch them, which are below no slurmd.
jobs_of() {
    for environment in /proc/[0-9]*/environ; do
        process=${environment%/environ}
        process=${process#/proc/}
        text=$({ tr '\0' '\n' <"$environment"; } 2>/dev/null) || continue
        case "
$text
" in *"
SLURMD_NODENAME=$1
"*) ;; *) continue ;; esac
        case $text in *"$folder/"*) ;; *) continue ;; esac
        above=$(ps -o ppid= -p "$process" | tr -d ' ') || continue
        [ "$(cat "/proc/$above/comm" 2>/dev/null)" != slurmstepd ] || kill_tree "$above"
        kill_tree "$process"
    done
}
controller() {
    daemon slurmctld slurmctld -D -f "$folder/slurm.conf"
    await 30 "controller" scontrol ping
}
node() {
    daemon "slurmd.$1" slurmd -D -N "$1" -f "$folder/slurm.conf"
}
free_port() {
    # A port that nothing listens on now. Another process could take it before the daemon does;
    # the daemon's log would say so.
    while :; do
        port=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 12000))
        ss -Hltn "sport = :$port" 2>/dev/null | grep -q . || break
    done
    echo "$port"
}
accounts() {
    for program in slurmdbd mariadbd mariadb-install-db; do
        command -v "$program" >/dev/null || return 1
    done
    mariadb-install-db --no-defaults --datadir="$folder/db" --user="$user" --skip-test-db \
        --auth-root-authentication-method=normal >"$folder/install-db.out" 2>&1 || return 1
    port=$(free_port)
    daemon mariadbd mariadbd --no-defaults --datadir="$folder/db" --user="$user" \
        --bind-address=127.0.0.1 --port="$port" --socket="$folder/db.socket" \
        --innodb-buffer-pool-size=16M --innodb-lock-wait-timeout=900
    await 30 database mariadb --no-defaults --socket="$folder/db.socket" -e "SELECT 1"
    mariadb --no-defaults --socket="$folder/db.socket" -e \
        "CREATE USER slurm@'127.0.0.1' IDENTIFIED BY 'scratch';
         GRANT ALL ON slurm_acct_db.* TO slurm@'127.0.0.1'"
    accounts_port=$(free_port)
    cat >"$folder/slurmdbd.conf" <<END
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$accounts_port
SlurmUser=$user
PidFile=$folder/slurmdbd.own.pid
LogFile=$folder/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$port
StorageUser=slurm
StoragePass=scratch
StorageLoc=slurm_acct_db
END
    chmod 600 "$folder/slurmdbd.conf"
    cat >>"$folder/slurm.conf" <<END
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$accounts_port
# The socket, not a password: with munge, this is its meaning.
AccountingStoragePass=$folder/munge/socket
END
    daemon slurmdbd slurmdbd -D
    await 60 "slurmdbd" sacctmgr -i show cluster
    sacctmgr -i add cluster touchstone >"$folder/sacctmgr.out" 2>&1
}
start() {
    lacks=$(missing)
    [ -z "$lacks" ] || fail "not installed: $(echo "$lacks" | tr '\n' ' ')"
    mkdir -p "$folder/munge" "$folder/state"
    # munge insists that every user can reach its socket.
    chmod 711 "$folder" "$folder/munge"
    (umask 077 && head -c 1024 /dev/urandom >"$folder/munge/key")
    daemon munged munged --force --foreground --key-file="$folder/munge/key" \
        --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
        --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" --num-threads=2
    await 20 "munge" test -S "$folder/munge/socket"
    here=$(uname -n)
    cpus=$(nproc)
    cat >"$folder/slurm.conf" <<END
ClusterName=touchstone
SlurmctldHost=$here(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
# A job that is queued again waits until its credential has expired.
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.own.pid
SlurmdPidFile=$folder/slurmd.%n.own.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=8
KillWait=5
MinJobAge=300
JobRequeue=1
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_interval=2,sched_min_interval=100000,requeue_setup_env_fail
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
SlurmdParameters=config_overrides
END
    export SLURM_CONF="$folder/slurm.conf"
    names=
    for node; do
        name=${node%%:*} feature=${node#*:}
        [ "$feature" != "$node" ] || feature=$name
        names=$names${names:+,}$name
        echo "NodeName=$name NodeHostname=$here NodeAddr=127.0.0.1 Port=$(free_port)" \
            "CPUs=$cpus RealMemory=512 Feature=$feature" >>"$folder/slurm.conf"
    done
    echo "PartitionName=main Nodes=$names Default=YES MaxTime=INFINITE State=UP" \
        >>"$folder/slurm.conf"
    [ "${ACCOUNTS:-}" = no ] || accounts ||
        echo "SKIPPED: the cluster has no accounts (slurmdbd and mariadbd)" >&2
    controller
    for node; do node "${node%%:*}"; done
    for node; do await 30 "${node%%:*}" "$self" ready "$folder" "${node%%:*}"; done
}
stop() {
    for pid in "$folder"/slurmd.*.pid; do
        case $pid in *'*'* | *.own.pid) continue ;; esac
        name=$(basename "$pid" .pid)
        kill_tree "$(cat "$pid")"
        rm -f "$pid" "$folder/$name.own.pid"
    done
    end slurmctld TERM
    end slurmdbd TERM
    end mariadbd TERM
    end munged TERM
}

[ $# -ge 1 ] || fail "usage: slurm.sh missing | start | stop | controller | node"
verb=$1
shift
if [ "$verb" = missing ]; then
    missing
    exit
fi
[ $# -ge 1 ] || fail "usage: slurm.sh $verb FOLDER …"
folder=$1
shift
user=$(id -un)
mkdir -p "$folder"
folder=$(cd -- "$folder" && pwd)
export SLURM_CONF="$folder/slurm.conf"
case $verb in
ready) [ "$(sinfo -h -n "$1" -o %t)" = idle ] ;;
start)
    trap '[ $? -eq 0 ] || stop' EXIT
    start "$@"
    ;;
stop) stop ;;
controller)
    case $1 in
    stop) end slurmctld TERM ;;
    start) controller ;;
    esac
    ;;
node)
    case $2 in
    kill)
        kill_tree "$(cat "$folder/slurmd.$1.pid")"
        rm -f "$folder/slurmd.$1.pid"
        jobs_of "$1"
        ;;
    start) node "$1" ;;
    esac
    ;;
*) fail "no verb $verb" ;;
esac
