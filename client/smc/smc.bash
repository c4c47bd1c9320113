# Completes smc's command lines in bash: commands, their flags and words as smc's help tells them, files.
_smc() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command= i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do # flags may come before the command
        case ${COMP_WORDS[i]} in
            -s | --server | --deadline | --color | --*-file) i=$((i + 1)) ;;
            -*) ;;
            *) command=${COMP_WORDS[i]}; break ;;
        esac
    done
    if [ -z "$command" ] || [ "$command" = help ]; then
        [[ $cur == -* ]] || COMPREPLY=($(compgen -W "$(smc help | sed -n 's/^  \([a-z-]*\)  .*/\1/p') help" -- "$cur"))
    elif [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$(smc "$command" --help=all 2>/dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p')" -- "$cur"))
    elif [[ $prev == --* ]]; then # the words that an option takes
        COMPREPLY=($(compgen -W "$(smc "$command" --help=all 2>/dev/null |
            sed -n "s/^  $prev .*(\([a-z0-9,-]*\); default.*/\1/p" | tr ',' ' ')" -- "$cur"))
    fi
    [ ${#COMPREPLY[@]} != 0 ] || compopt -o default
}
complete -F _smc smc
