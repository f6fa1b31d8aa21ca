# sframe_lint(TARGET [FLAG...]): checks the SFrame data of a target after each link.
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
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${SFRAME_LINT_PROGRAM} ${flags} ${ARGN} -- $<TARGET_FILE:${target}>
    COMMENT "Checking the SFrame data of ${target}" VERBATIM)
endfunction()
