#compdef smc
# Completes smc's command lines in zsh: commands, their flags and words as smc's help tells them, files.
local command= i
local -a list
for ((i = 2; i < CURRENT; i++)); do # flags may come before the command
    case $words[i] in
        -s | --server | --deadline | --color | --*-file) i=$((i + 1)) ;;
        -*) ;;
        *) command=$words[i]; break ;;
    esac
done
if [[ -z $command || $command == help ]]; then
    list=(${(f)"$(smc help | sed -n 's/^  \([a-z-]*\)   *\(.*\)/\1:\2/p')"} 'help:its flags')
    _describe command list
elif [[ $PREFIX == -* ]]; then
    list=(${(f)"$(smc $command --help=all 2>/dev/null | sed -n 's/^  \(--[a-z-]*\)[^ ]*  *\(.*\)/\1:\2/p')"})
    _describe flag list
else # the words that an option takes
    list=(${(f)"$(smc $command --help=all 2>/dev/null |
        sed -n "s/^  ${words[CURRENT - 1]} .*(\([a-z0-9,-]*\); default.*/\1/p" | tr ',' '\n')"})
    if (( $#list )); then
        compadd -a list
    else
        _files
    fi
fi
