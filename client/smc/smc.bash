# Completes smc's command lines in bash: commands, their flags as smc help tells them, files.
_smc() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "$(smc help | sed -n 's/^  \([a-z-]*\) .*/\1/p')" -- "$cur"))
    elif [ "$command" = help ]; then
        COMPREPLY=($(compgen -W "$(smc help | sed -n 's/^  \([a-z-]*\)  .*/\1/p')" -- "$cur"))
    elif [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$(smc help "$command" 2>/dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p')" -- "$cur"))
    elif [[ $prev == --* ]]; then # the words that an option takes
        COMPREPLY=($(compgen -W "$(smc help "$command" 2>/dev/null |
            sed -n "s/^  $prev .*(\([a-z0-9,-]*\); default.*/\1/p" | tr ',' ' ')" -- "$cur"))
    fi
    [ ${#COMPREPLY[@]} != 0 ] || compopt -o default
}
complete -F _smc smc
