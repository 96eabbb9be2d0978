# Shared by ./lightloom and ./test: installs packages, configures, and builds one build at a time.
#
# Sourced with `root` set to the source folder. Progress goes to stderr, long output to a log in
# build/ whose end is shown on failure. Functions return 1 for an internal error and 2 for a problem
# that the user can fix.

jobs=${LOOM_JOBS:-$(nproc 2>/dev/null || echo 2)}
python=$([[ -x /usr/bin/python3 ]] && echo /usr/bin/python3 || echo python3)
installed=no

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# logged LOG COMMAND...: writes the output to LOG; on failure shows the end of it on stderr.
logged() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 && return
  tail -n 40 "$log" >&2
  say "the last command failed; its full log is $log"
  return 1
}

# The lock is held until give_lock or until this process and the compilers it started have ended.
take_lock() {
  mkdir -p "$root/build" || return 2
  exec 9>"$root/build/.lock" || return 2
  flock -n 9 && return
  say "waiting for another build to finish"
  flock 9
}

give_lock() { exec 9>&-; }

# missing_packages LIST...: the listed packages that are not installed; empty if not on Debian.
# "Provides" counts: some nodejs packages include npm and declare it.
missing_packages() {
  command -v dpkg-query >/dev/null || return 0
  local wanted
  wanted=$(sed 's/#.*//' "$@" | tr -s '[:space:]' '\n' | sed '/^$/d' | LC_ALL=C sort -u)
  # shellcheck disable=SC2086  # one argument per package
  LC_ALL=C comm -23 <(echo "$wanted") <(
    dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' $wanted 2>/dev/null |
      sed -n 's/^installed //p' | tr ',' '\n' | sed 's/(.*//; s/ //g' | LC_ALL=C sort -u)
}

apt_install() {
  local install=(apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@")
  export DEBIAN_FRONTEND=noninteractive
  "${install[@]}" || { apt-get update && "${install[@]}"; }
}

# install_missing LIST...
install_missing() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} > 0)) || return 0
  if ((EUID != 0)); then
    say "packages are missing; install them with the following command and try again:"
    echo "sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
    return 2
  fi
  say "installing ${missing[*]}"
  logged "$root/build/install.log" apt_install "${missing[@]}" || return 2
  installed=yes
}

# configured PRESET SETTING...: true if these sources are configured with these NAME=VALUE settings.
configured() {
  local folder=$root/build/$1 setting
  shift
  [[ $installed == no && -e $folder/build.ninja ]] || return 1
  [[ ! $root/CMakePresets.json -nt $folder/build.ninja ]] || return 1
  grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt" || return 1
  for setting in "$@"; do
    grep -qxF "${setting%%=*}:BOOL=${setting#*=}" "$folder/CMakeCache.txt" || return 1
  done
}

# configure PRESET SETTING...
configure() {
  local preset=$1 fresh=()
  shift
  if ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$root/build/$preset/CMakeCache.txt"; then
    fresh=(--fresh)
  fi
  say "configuring $preset"
  logged "$root/build/$preset.log" \
    cmake -S "$root" --preset "$preset" "${fresh[@]}" "${@/#/-D}" && return
  say "the required Debian packages are: $(sed 's/#.*//;s/ *$//' "$root/tools/packages.txt" | xargs)"
  return 1
}

# build PRESET TARGET: the stamp .built has the time at which the build began, so that a source
# changed during the build counts as newer.
build() {
  local folder=$root/build/$1 begin=$SECONDS
  say "building $1 (log: $root/build/$1.log)"
  touch "$folder/.started"
  logged "$root/build/$1.log" cmake --build "$folder" --target "$2" --parallel "$jobs" || return 1
  case $2 in all | lightloom) mv "$folder/.started" "$folder/.built" ;; esac
  say "built $1 in $((SECONDS - begin)) s"
}
