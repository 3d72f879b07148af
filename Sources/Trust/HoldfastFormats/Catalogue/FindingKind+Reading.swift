import HoldfastTrust

extension FindingKind {
    /// What readers find.
    static let reading: [FindingKind] = [
        FindingKind(
            "unknown-format", [.error],
            "The file is none of the known formats.",
            remedy:
                "Name the format with --format (lint, explain) or --from (convert), or check that it is the right file."
        ),
        FindingKind(
            "no-property-list", [.error],
            "The format is not written as a property list.",
            remedy: "Read the file's bytes in its own format."),
        FindingKind(
            "too-large", [.error],
            "The file, or something in it, is larger than anything a policy needs.",
            remedy: "Split the policy, or check that it is the right file."),
        FindingKind(
            "too-deep", [.error],
            "Elements are nested deeper than any policy needs.",
            remedy: "Check that it is the right file."),
        FindingKind(
            "too-many-findings", [.error, .warning],
            "There are more findings than are listed.",
            remedy: "Fix the listed findings, then run the command again."),
        FindingKind(
            "not-utf8", [.error],
            "The text, or a part of it, is not UTF-8.",
            remedy: "Save the file as UTF-8."),
        FindingKind(
            "invalid-json", [.error],
            "The text is not valid JSON, or has a key twice.",
            remedy: "Fix the JSON at the place given."),
        FindingKind(
            "malformed-xml", [.error],
            "The text is not well-formed XML.",
            remedy: "Fix the XML at the place given."),
        FindingKind(
            "unknown-entity", [.error],
            "An entity is none of the five that XML has by itself.",
            remedy: "Write the character itself, or its number."),
        FindingKind(
            "document-type", [.error],
            "A document type is declared where none is allowed, or declares something.",
            remedy: "Take the DOCTYPE out."),
        FindingKind(
            "malformed-property-list", [.error],
            "The XML is not a property list.",
            remedy: "Fix it at the place given; plutil -lint FILE prints what Apple's reader finds."),
        FindingKind(
            "binary-property-list", [.error],
            "The property list is binary.",
            remedy: "Convert it: plutil -convert xml1 FILE."),
        FindingKind(
            "malformed-source", [.error],
            "A comment, a literal or a call of source code does not end, or Java and Kotlin read it differently.",
            remedy: "Correct the source at the place given."),
        FindingKind(
            "not-a-literal", [.error],
            "An argument of add is not a plain string literal.",
            remedy: "Write the host and the pins as string literals."),
        FindingKind(
            "misplaced-pin", [.error],
            "A pin is not an argument of add.",
            remedy: "Pass it to add after its host, or remove it."),
        FindingKind(
            "malformed-header", [.error],
            "The header's grammar is broken.",
            remedy: "Write directives as name=value or name=\"value\", with semicolons between them."),
        FindingKind(
            "wrong-root", [.error],
            "The root element is another one.",
            remedy: "Check that it is the right file."),
        FindingKind(
            "wrong-type", [.error],
            "A value is of another kind than the key asks for.",
            remedy: "Write a value of the kind that the message names."),
        FindingKind(
            "boolean-as-text", [.warning],
            "A string stands where a boolean belongs.",
            remedy: "Write a boolean, not a string."),
        FindingKind(
            "unknown-key", [.error, .warning],
            "A key is unknown: an error in Holdfast's own format, ignored by the library elsewhere.",
            remedy: "Fix the spelling, or remove the key."),
        FindingKind(
            "unknown-value", [.error],
            "A value is none of those that the key knows.",
            remedy: "Write one of those that the message names."),
        FindingKind(
            "unknown-version", [.error],
            "The file is of another version of the format.",
            remedy: "Write it for version 1."),
        FindingKind(
            "missing-version", [.error],
            "The version of Holdfast's format is missing.",
            remedy: "Add \"holdfast\": 1."),
        FindingKind(
            "unknown-element", [.warning],
            "An element is unknown, and the library skips it.",
            remedy: "Fix the spelling, or remove the element."),
        FindingKind(
            "unknown-directive", [.warning, .note],
            "A directive is unknown, and browsers ignored it.",
            remedy: "Take it out."),
        FindingKind(
            "misplaced-element", [.error],
            "An element stands where it has no meaning.",
            remedy: "Move it into a domain-config."),
        FindingKind(
            "second-element", [.error],
            "An element occurs twice where there is one.",
            remedy: "Join the two."),
        FindingKind(
            "duplicate-directive", [.error],
            "A directive occurs twice.",
            remedy: "Take one out."),
        FindingKind(
            "unexpected-value", [.error],
            "A directive has a value that takes none.",
            remedy: "Take the value out."),
        FindingKind(
            "several-headers", [.error],
            "There is more than one header.",
            remedy: "Read them one by one."),
        FindingKind(
            "contradiction", [.error],
            "Two spellings of one key say different things.",
            remedy: "Keep one of them."),
        FindingKind(
            "invalid-host", [.error],
            "The text is not a valid host.",
            remedy: "Write a DNS name or an IP address, without scheme, port or path."),
        FindingKind(
            "missing-host", [.error],
            "There is no host.",
            remedy: "Name it: the key host, or --host for formats that do not hold one."),
        FindingKind(
            "duplicate-host", [.error, .warning],
            "Two entries are for the same host once both are in canonical form.",
            remedy: "Join the two."),
        FindingKind(
            "subdomains-of-address", [.error],
            "Subdomains of an IP address are included.",
            remedy: "Take the option out: nothing is below an address."),
        FindingKind(
            "two-depths", [.error],
            "The reach below a host is given twice.",
            remedy: "Keep one of includesSubdomains, depth and the asterisks."),
        FindingKind(
            "no-pinned-domains", [.error],
            "The file pins no host.",
            remedy: "Add one, or do not load the file."),
        FindingKind(
            "no-entries", [.error],
            "Chromium's list of entries is missing.",
            remedy: "Add the key entries."),
        FindingKind(
            "no-domain", [.error],
            "A domain-config has no domain.",
            remedy: "Add one, or take the element out."),
        FindingKind(
            "missing-name", [.error],
            "An entry or a pin set has no name.",
            remedy: "Add the name."),
        FindingKind(
            "invalid-pin", [.error],
            "The text is not a SHA-256 hash in base64.",
            remedy: "Print the pin again: holdfast pin FILE."),
        FindingKind(
            "sha1-pin", [.error],
            "The pin is a SHA-1, of which collisions can be made.",
            remedy: "Pin the SHA-256: holdfast pin FILE."),
        FindingKind(
            "unquoted-pin", [.error],
            "A pin of the header stands without quotation marks.",
            remedy: "Write pin-sha256=\"…\"."),
        FindingKind(
            "missing-pin", [.error],
            "There is no pin.",
            remedy: "Add one, and a backup."),
        FindingKind(
            "missing-hash", [.error],
            "A pin has no hash.",
            remedy: "Add it, or take the pin out."),
        FindingKind(
            "missing-digest", [.error],
            "A pin does not say which digest it is.",
            remedy: "Add digest=\"SHA-256\"."),
        FindingKind(
            "unknown-digest", [.error],
            "The digest is not SHA-256.",
            remedy: "Pin the SHA-256: holdfast pin FILE."),
        FindingKind(
            "file-path", [.error],
            "A path stands in the place of a pin.",
            remedy: "Print the key's pin, and write that: holdfast pin FILE."),
        FindingKind(
            "unknown-pin-set", [.error],
            "A pin set of that name does not exist.",
            remedy: "Fix the name, or add the set."),
        FindingKind(
            "duplicate-pin-set", [.error],
            "Two pin sets have one name.",
            remedy: "Rename one, or join the two."),
        FindingKind(
            "unknown-key-name", [.error],
            "A key's name stands for a hash that is not known.",
            remedy: "Give Chromium's second file with --keys."),
        FindingKind(
            "invalid-key", [.error],
            "A key of Chromium's second file cannot be read.",
            remedy: "Fix the entry in that file."),
        FindingKind(
            "invalid-date", [.error],
            "The text is not a valid date, or lacks the required time zone. TrustKit takes it for \"never\".",
            remedy: "Write the form that the message shows."),
        FindingKind(
            "missing-max-age", [.error],
            "The header has no max-age.",
            remedy: "Add it; browsers ignored headers without it."),
        FindingKind(
            "invalid-max-age", [.error],
            "max-age is not a number of seconds.",
            remedy: "Write digits alone."),
        FindingKind(
            "unused-max-age", [.note],
            "A header that only reports has a max-age, which means nothing.",
            remedy: "Take it out."),
        FindingKind(
            "relative-expiry", [.warning, .note],
            "The end of the pins counts from the receipt of the header.",
            remedy: "Say when that was: --at."),
        FindingKind(
            "local-expiry", [.note],
            "The pins end at midnight in the zone of the device.",
            remedy: "Leave a day between the end and the switch of keys."),
        FindingKind(
            "invalid-report-uri", [.error],
            "A report URI is not an http or https URL.",
            remedy: "Write a URL that begins with http:// or https://."),
        FindingKind(
            "default-report-uri", [.note],
            "The library would also report to its maker; Holdfast never does.",
            remedy: "Set the key that disables it, for the apps that still use that library."),
        FindingKind(
            "excluded-with-pins", [.error],
            "A host is left out and has pins.",
            remedy: "Keep one of the two."),
        FindingKind(
            "exclusion-with-other-keys", [.error],
            "An excluded subdomain has other keys, which TrustKit refuses.",
            remedy: "Keep the exclude key alone."),
        FindingKind(
            "exclusion-without-parent", [.error],
            "A host is left out of nothing, which TrustKit refuses.",
            remedy: "Take the entry out, or let a parent include its subdomains."),
        FindingKind(
            "misspelt-exclude-key", [.error, .warning],
            "The exclude key is written in a way that TrustKit does not read: there the subdomain stays pinned.",
            remedy: "Write kSKExcludeSubdomainFromParentPolicy."),
        FindingKind(
            "deprecated-key", [.note],
            "TrustKit ignores the key.",
            remedy: "Take it out."),
        FindingKind(
            "swizzling", [.warning],
            "Swizzling is not honoured.",
            remedy: "Hand the policy to each client that shall use it."),
        FindingKind(
            "user-anchors", [.warning],
            "Pins hold for anchors that the user added, too.",
            remedy: "Give the anchors to the policy by name, if they shall not."),
        FindingKind(
            "other-pins", [.warning],
            "The file holds pins of another format too.",
            remedy: "Read it again in that format."),
        FindingKind(
            "empty-identities", [.warning],
            "A list of identities is there and empty: every connection is refused.",
            remedy: "Fill the list, or take it out."),
        FindingKind(
            "unpinned", [.warning],
            "An entry names no identity, and pins nothing.",
            remedy: "Add identities, or take the entry out."),
        FindingKind(
            "empty-pin-set", [.error],
            "Pins are enforced and the set is empty, which TrustKit-Android refuses.",
            remedy: "Add pins, or take trustkit-config out."),
        FindingKind(
            "several-domains", [.warning],
            "TrustKit-Android reads only the last domain of a domain-config.",
            remedy: "Write a domain-config for each domain."),
        FindingKind(
            "debug-overrides", [.warning],
            "What holds for debuggable builds alone is not taken over.",
            remedy: "Give debug anchors to the policy by name."),
        FindingKind(
            "certificate-transparency", [.warning],
            "Certificate transparency is required, which is not checked here.",
            remedy: "Do not rely on it for connections that this policy judges."),
        FindingKind(
            "override-pins", [.warning],
            "Pins are switched off for certain anchors, which is not taken over.",
            remedy: "Give the anchors to the policy by name."),
        FindingKind(
            "trust-anchors", [.warning],
            "Trust anchors are named that are not in the file, and are not taken over.",
            remedy: "Give the anchors to the policy by name."),
        FindingKind(
            "unknown-source", [.error],
            "The source of certificates is unknown.",
            remedy: "Write system, user or @raw/NAME."),
        FindingKind(
            "other-setting", [.note],
            "A setting is not about pins, and is not taken over.",
            remedy: "Nothing, if it is kept elsewhere."),
        FindingKind(
            "deny-is-global", [.warning],
            "Chromium denies keys for the hosts of a pin set; here they are denied everywhere.",
            remedy: "Check that no other host uses the keys."),
        FindingKind(
            "missing-certificates", [.error],
            "There are anchors without certificates.",
            remedy: "Add the key certificates."),
        FindingKind(
            "invalid-certificate", [.error],
            "A certificate cannot be read.",
            remedy: "Give it in PEM."),
    ]
}
