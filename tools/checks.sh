# The steps of ./test outside ctest: layers, words, summaries, format, clang-tidy, fuzzing.
#
# Sourced after setup.sh. Each step is a function that returns 0 on success and calls `skip WHY` if
# this machine cannot run it.

clang=14

has() { command -v "$1" >/dev/null || { skip "$1 is not installed"; return 1; }; }

check_layers() { "$python" -B "$root/tools/check_layers.py" "$root"; }
check_words() { "$python" -B "$root/tools/check_words.py" "$root"; }
check_summaries() { "$python" -B "$root/tools/check_summaries.py" "$root"; }

# All C++ files of the repository, separated by NUL.
our_files() {
  find "$root" -type d \( -name '.?*' -o -name build -o -name node_modules \) -prune -o \
    -type f \( -name '*.cc' -o -name '*.h' \) -print0
}

check_format() {
  has clang-format-$clang || return 0
  our_files | xargs -0 -r clang-format-$clang --dry-run --Werror 2>&1 | grep -F 'error:' |
    head -n 20
  ((PIPESTATUS[1] == 0)) && return
  echo "To fix: find loom bpf cli tests bench -name '*.cc' -o -name '*.h' |" \
    "xargs clang-format-$clang -i"
  return 1
}

# The commit to diff against: the merge base with origin/main, else the previous commit, else the
# empty tree, so that all files count as changed.
compared_with() {
  local head base
  head=$(git -C "$root" rev-parse -q --verify HEAD)
  base=$(git -C "$root" merge-base HEAD origin/main 2>/dev/null)
  [[ -n $base && $base != "$head" ]] || base=$(git -C "$root" rev-parse -q --verify HEAD~1)
  echo "${base:-$(git -C "$root" hash-object -t tree /dev/null)}"
}

# Prints a source through which clang-tidy checks a header: its .cc file, its test, or any source
# that includes it.
source_showing() {
  local stem=${1%.h} candidate
  for candidate in "$stem.cc" "${stem}_test.cc"; do
    [[ -e $root/$candidate ]] && { echo "$candidate"; return; }
  done
  cd "$root" && grep -rlF --include='*.cc' "#include \"$1\"" loom bpf cli tests bench | head -n 1
}

changed_sources() {
  local file
  { git -C "$root" diff --name-only --relative --diff-filter=d "$(compared_with)"
    git -C "$root" ls-files --others --exclude-standard; } |
    while read -r file; do
      case $file in
        *.cc) echo "$file" ;;
        *.h) source_showing "$file" ;;
      esac
    done | sort -u
}

# Reads paths relative to the root from stdin, one per line.
# The release build compiles sources in groups, so clang-tidy has a configuration of its own, in
# which nothing but generated headers is built.
tidy() {
  { configured tidy || configure tidy; } && build tidy generated_headers || return
  "$python" -B "$root/tools/tidy.py" "$root" "$root/build/tidy" clang-tidy-$clang "$jobs"
}

tidy_changed() {
  has clang-tidy-$clang || return 0
  git -C "$root" rev-parse --git-dir >/dev/null 2>&1 ||
    { skip "not a git repository, so changed files are unknown; --full checks all files"; return; }
  changed_sources | tidy
}

tidy_everything() {
  has clang-tidy-$clang || return 0
  our_files | tr '\0' '\n' | sed -n "s|^$root/\(.*\.cc\)\$|\1|p" | tidy
}

# fuzz NAME: runs libFuzzer for one minute, starting from tests/fuzz/corpus/NAME and the inputs that
# earlier runs found.
fuzz() {
  local found=$root/build/fuzz/found/$1 seeds=$root/tests/fuzz/corpus/$1
  local folders=("$found")
  mkdir -p "$found"
  [[ -d $seeds ]] && folders+=("$seeds")
  PATH=/usr/lib/llvm-$clang/bin:$PATH logged "$root/build/fuzz/$1.log" \
    "$root/build/fuzz/fuzz/$1_fuzz" -max_total_time="${LOOM_FUZZ_SECONDS:-60}" -timeout=10 \
    -rss_limit_mb=2048 -artifact_prefix="$root/build/fuzz/$1_" "${folders[@]}"
}
