# smd_manual(FILE COMPONENT): installs a manual page, compressed as Debian's policy wants it. FILE ends in its section.
function(smd_manual file component)
    cmake_path(GET file EXTENSION LAST_ONLY section)
    string(SUBSTRING ${section} 1 -1 section)
    set(packed ${CMAKE_CURRENT_BINARY_DIR}/${file}.gz)
    add_custom_command(OUTPUT ${packed} COMMAND gzip -9nc ${CMAKE_CURRENT_SOURCE_DIR}/${file} > ${packed} DEPENDS ${file} VERBATIM)
    add_custom_target(manual_${file} ALL DEPENDS ${packed})
    install(FILES ${packed} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT ${component})
endfunction()
