LIMIT=10
readonly NAME="x"
declare -A map=([a]=1)
export FOO=bar BAZ=q
total() {
  local a=$1
  q=1
}
function other { echo 1; }
function third() ( echo 1 )
