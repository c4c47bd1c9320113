# What is installed of libsmclient, in two components: library, and headers with all that is for building against it.
include(CMakePackageConfigHelpers)

set(SMCLIENT_PRIVATE_LIBS "-lcurl -ljansson -lcrypto -lzstd -lpthread")
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/smclient)
# From the .pc file to the prefix, so that the installed tree can be moved.
file(RELATIVE_PATH SMCLIENT_PC_PREFIX
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(smclient.pc.in smclient.pc @ONLY)
configure_file(smclient-loader.pc.in smclient-loader.pc @ONLY)
configure_package_config_file(smclientConfig.cmake.in smclientConfig.cmake INSTALL_DESTINATION ${package_dir}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(smclientConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS smclient EXPORT smclientTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT headers)
install(FILES include/smclient.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT headers)
install(FILES gdb/roots.py DESTINATION ${CMAKE_INSTALL_DATADIR}/smclient/gdb COMPONENT headers)
install(FILES ${PROJECT_BINARY_DIR}/lib/libsmclient.a ${PROJECT_BINARY_DIR}/lib/libsmclient-loader.a DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT headers)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/smclient.pc ${CMAKE_CURRENT_BINARY_DIR}/smclient-loader.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT headers)
install(EXPORT smclientTargets NAMESPACE smclient:: DESTINATION ${package_dir} COMPONENT headers)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/smclientConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/smclientConfigVersion.cmake
    DESTINATION ${package_dir} COMPONENT headers)
