# A check for lintian: it runs sframe-lint on the files of a binary package.
#
#   lintian --include-dir integrations/lintian PACKAGE.deb
#
# The tags are sframe-error, sframe-warning and sframe-unchecked; the context of the first two begins with the rule.
# Requires sframe-lint in PATH.
package Lintian::Check::Sframe;

use v5.20;
use warnings;
use utf8;

use JSON::PP qw(decode_json);
use IPC::Run3;
use Unicode::UTF8 qw(decode_utf8 valid_utf8);

use Moo;
use namespace::clean;

with 'Lintian::Check';

sub installable {
    my ($self) = @_;
    my $package = $self->processable->path; # sframe-lint reads it itself
    my $root = "$package!";
    my @command = (qw(sframe-lint --no-config --quiet --allow-empty --format jsonl --), $package);
    run3(\@command, \undef, \my $report, \my $errors, {return_if_system_error => 1});
    my $status = $? >> 8;

    for my $line (split /\n/, $report) {
        my $finding = decode_json($line)->{finding} or next;
        my $tag = {error => 'sframe-error', warning => 'sframe-warning'}->{$finding->{severity}} or next;
        my ($rule, $path, $text) = map { s/[[:cntrl:]]/?/gr } @{$finding}{qw(rule path message)};
        $text .= '; help: ' . ($finding->{help} =~ s/[[:cntrl:]]/?/gr) if $finding->{help};
        $text = ($finding->{source}{path} =~ s/[[:cntrl:]]/?/gr) . ":$finding->{source}{line}: $text" if $finding->{source};
        my $item = $self->processable->installed->lookup($path =~ s{^\Q$root\E/*}{}r);
        my $place = $finding->{member} ? "($finding->{member})" : q{};
        $item ? $self->pointed_hint($tag, $item->pointer, "$rule$place", $text) : $self->hint($tag, "$rule$place", $path, $text);
    }
    return if $? != -1 && $status <= 1;
    $errors = "sframe-lint cannot be run or was killed\n" unless length $errors;
    for my $line (split /\n/, valid_utf8($errors) ? decode_utf8($errors) : $errors) {
        $self->hint('sframe-unchecked', $line =~ s/\Q$root\E\/*//gr =~ s/[[:cntrl:]]/?/gr);
    }
    return;
}

1;
