# sframe_lint(TARGET [FLAG...]): checks the SFrame data of a target after each link, of an OBJECT library its objects.
#
#   include(SFrameLint)
#   add_executable(app main.c)
#   sframe_lint(app)
#
# The build fails where sframe-lint does, also where SFrame data is missing; the option SFRAME_LINT_REQUIRE=OFF allows that.
# The option SFRAME_LINT=OFF turns the checks off.
option(SFRAME_LINT "Check SFrame data after each link" ON)
option(SFRAME_LINT_REQUIRE "Fail where SFrame data is missing" ON)
find_program(SFRAME_LINT_PROGRAM sframe-lint)

function(sframe_lint target)
  if(NOT SFRAME_LINT)
    return()
  endif()
  if(NOT SFRAME_LINT_PROGRAM)
    message(FATAL_ERROR "sframe-lint is not installed; -DSFRAME_LINT=OFF builds without it")
  endif()
  set(flags --source-root ${CMAKE_SOURCE_DIR})
  if(SFRAME_LINT_REQUIRE)
    list(APPEND flags --require-sframe)
  endif()
  set(check ${SFRAME_LINT_PROGRAM} ${flags} ${ARGN} --)
  set(comment COMMENT "Checking the SFrame data of ${target}" COMMAND_EXPAND_LISTS VERBATIM)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    message(FATAL_ERROR "sframe_lint: ${target} is an INTERFACE library: it has no code of its own")
  elseif(type STREQUAL "OBJECT_LIBRARY")
    set(checked ${CMAKE_CURRENT_BINARY_DIR}/${target}.sframe-lint)
    add_custom_command(OUTPUT ${checked} DEPENDS $<TARGET_OBJECTS:${target}>
      COMMAND ${check} $<TARGET_OBJECTS:${target}> COMMAND ${CMAKE_COMMAND} -E touch ${checked} ${comment})
    add_custom_target(${target}-sframe-lint ALL DEPENDS ${checked})
  else()
    add_custom_command(TARGET ${target} POST_BUILD COMMAND ${check} $<TARGET_FILE:${target}> ${comment})
  endif()
endfunction()
