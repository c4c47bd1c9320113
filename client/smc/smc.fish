# Completes smc's command lines in fish: commands, their flags and words as smc's help tells them, files.
function __smc_command
    set -l skip 0
    for word in (commandline -opc)[2..-1] # flags may come before the command
        if test $skip = 1
            set skip 0
        else if contains -- $word -s --server --deadline --color; or string match -q -- '--*-file' $word
            set skip 1
        else if not string match -q -- '-*' $word
            echo $word
            return
        end
    end
end

function __smc_commands
    smc help | sed -n 's/^  \([a-z-]*\)  *\(.*\)/\1\t\2/p'
end

function __smc_flags
    smc (__smc_command) --help=all 2>/dev/null | sed -n 's/^  \(--[a-z-]*\)[^ ]*  *\(.*\)/\1\t\2/p'
end

# The words that the option before the cursor takes.
function __smc_words
    set -l before (commandline -opc)[-1]
    string match -q -- '--*' $before; or return
    smc (__smc_command) --help=all 2>/dev/null | sed -n "s/^  $before .*(\([a-z0-9,-]*\); default.*/\1/p" | tr ',' '\n'
end

complete -c smc -n 'test -z (__smc_command)' -f -a '(__smc_commands)'
complete -c smc -n 'contains -- help (__smc_command)' -f -a '(__smc_commands)'
complete -c smc -n 'string match -q -- "-*" (commandline -ct)' -a '(__smc_flags)'
complete -c smc -n 'not test -z (__smc_command)' -a '(__smc_words)'
