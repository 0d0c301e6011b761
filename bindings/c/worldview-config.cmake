cmake_minimum_required(VERSION 3.21)
# The target worldview::worldview, for find_package(worldview). The shared library is taken where both are installed.
find_package(Threads REQUIRED)
get_filename_component(worldview_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_library(worldview_LIBRARY NAMES worldview worldview.dll PATHS "${worldview_prefix}/lib" NO_DEFAULT_PATH NO_CACHE REQUIRED)
if(NOT TARGET worldview::worldview)
    add_library(worldview::worldview UNKNOWN IMPORTED)
    set_target_properties(worldview::worldview PROPERTIES
        IMPORTED_LOCATION "${worldview_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${worldview_prefix}/include")
    set_property(TARGET worldview::worldview PROPERTY INTERFACE_LINK_LIBRARIES Threads::Threads ${CMAKE_DL_LIBS})
    if(UNIX)
        set_property(TARGET worldview::worldview APPEND PROPERTY INTERFACE_LINK_LIBRARIES m)
    elseif(WIN32)
        set_property(TARGET worldview::worldview APPEND PROPERTY INTERFACE_LINK_LIBRARIES ntdll userenv ws2_32)
    endif()
endif()
