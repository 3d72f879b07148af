import HoldfastTrust

extension FindingKind {
    /// What readers find.
    static let reading: [FindingKind] = [
        FindingKind(
            .unknownFormat, [.error],
            "The file is none of the known formats.",
            remedy:
                "Name the format with --format (lint, explain) or --from (convert), or check that it is the right file."
        ),
        FindingKind(
            .noPropertyList, [.error],
            "The format is not written as a property list.",
            remedy: "Read the file's bytes in its own format."),
        FindingKind(
            .tooLarge, [.error],
            "The file, or something in it, is larger than anything a policy needs.",
            remedy: "Split the policy, or check that it is the right file."),
        FindingKind(
            .tooDeep, [.error],
            "Elements are nested deeper than any policy needs.",
            remedy: "Check that it is the right file."),
        FindingKind(
            .tooManyFindings, [.error, .warning],
            "There are more findings than are listed.",
            remedy: "Fix the listed findings, then run the command again."),
        FindingKind(
            .notUTF8, [.error],
            "The text, or a part of it, is not UTF-8.",
            remedy: "Save the file as UTF-8."),
        FindingKind(
            .invalidJSON, [.error],
            "The text is not valid JSON, or has a key twice.",
            remedy: "Fix the JSON at the place given."),
        FindingKind(
            .malformedXML, [.error],
            "The text is not well-formed XML.",
            remedy: "Fix the XML at the place given."),
        FindingKind(
            .unknownEntity, [.error],
            "An entity is none of the five that XML has by itself.",
            remedy: "Write the character itself, or its number."),
        FindingKind(
            .documentType, [.error],
            "A document type is declared where none is allowed, or declares something.",
            remedy: "Take the DOCTYPE out."),
        FindingKind(
            .malformedPropertyList, [.error],
            "The XML is not a property list.",
            remedy: "Fix it at the place given; plutil -lint FILE prints what Apple's reader finds."),
        FindingKind(
            .binaryPropertyList, [.error],
            "The property list is binary.",
            remedy: "Convert it: plutil -convert xml1 FILE."),
        FindingKind(
            .malformedSource, [.error],
            "A comment, a literal or a call of source code does not end, or Java and Kotlin read it differently.",
            remedy: "Correct the source at the place given."),
        FindingKind(
            .notALiteral, [.error],
            "An argument of add is not a plain string literal.",
            remedy: "Write the host and the pins as string literals."),
        FindingKind(
            .misplacedPin, [.error],
            "A pin is not an argument of add.",
            remedy: "Pass it to add after its host, or remove it."),
        FindingKind(
            .malformedHeader, [.error],
            "The header's grammar is broken.",
            remedy: "Write directives as name=value or name=\"value\", with semicolons between them."),
        FindingKind(
            .wrongRoot, [.error],
            "The root element is another one.",
            remedy: "Check that it is the right file."),
        FindingKind(
            .wrongType, [.error],
            "A value is of another kind than the key asks for.",
            remedy: "Write a value of the kind that the message names."),
        FindingKind(
            .booleanAsText, [.warning],
            "A string stands where a boolean belongs.",
            remedy: "Write a boolean, not a string."),
        FindingKind(
            .unknownKey, [.error, .warning],
            "A key is unknown: an error in Holdfast's own format, ignored by the library elsewhere.",
            remedy: "Fix the spelling, or remove the key."),
        FindingKind(
            .unknownValue, [.error],
            "A value is none of those that the key knows.",
            remedy: "Write one of those that the message names."),
        FindingKind(
            .unknownVersion, [.error],
            "The file is of another version of the format.",
            remedy: "Write it for version 1."),
        FindingKind(
            .missingVersion, [.error],
            "The version of Holdfast's format is missing.",
            remedy: "Add \"holdfast\": 1."),
        FindingKind(
            .unknownElement, [.warning],
            "An element is unknown, and the library skips it.",
            remedy: "Fix the spelling, or remove the element."),
        FindingKind(
            .unknownDirective, [.warning, .note],
            "A directive is unknown, and browsers ignored it.",
            remedy: "Take it out."),
        FindingKind(
            .misplacedElement, [.error],
            "An element stands where it has no meaning.",
            remedy: "Move it into a domain-config."),
        FindingKind(
            .secondElement, [.error],
            "An element occurs twice where there is one.",
            remedy: "Join the two."),
        FindingKind(
            .duplicateDirective, [.error],
            "A directive occurs twice.",
            remedy: "Take one out."),
        FindingKind(
            .unexpectedValue, [.error],
            "A directive has a value that takes none.",
            remedy: "Take the value out."),
        FindingKind(
            .severalHeaders, [.error],
            "There is more than one header.",
            remedy: "Read them one by one."),
        FindingKind(
            .contradiction, [.error],
            "Two spellings of one key say different things.",
            remedy: "Keep one of them."),
        FindingKind(
            .invalidHost, [.error],
            "The text is not a valid host.",
            remedy: "Write a DNS name or an IP address, without scheme, port or path."),
        FindingKind(
            .missingHost, [.error],
            "There is no host.",
            remedy: "Name it: the key host, or --host for formats that do not hold one."),
        FindingKind(
            .duplicateHost, [.error, .warning],
            "Two entries are for the same host once both are in canonical form.",
            remedy: "Join the two."),
        FindingKind(
            .subdomainsOfAddress, [.error],
            "Subdomains of an IP address are included.",
            remedy: "Take the option out: nothing is below an address."),
        FindingKind(
            .twoDepths, [.error],
            "The reach below a host is given twice.",
            remedy: "Keep one of includesSubdomains, depth and the asterisks."),
        FindingKind(
            .noPinnedDomains, [.error],
            "The file pins no host.",
            remedy: "Add one, or do not load the file."),
        FindingKind(
            .noEntries, [.error],
            "Chromium's list of entries is missing.",
            remedy: "Add the key entries."),
        FindingKind(
            .noDomain, [.error],
            "A domain-config has no domain.",
            remedy: "Add one, or take the element out."),
        FindingKind(
            .missingName, [.error],
            "An entry or a pin set has no name.",
            remedy: "Add the name."),
        FindingKind(
            .invalidPin, [.error],
            "The text is not a SHA-256 hash in base64.",
            remedy: "Print the pin again: holdfast pin FILE."),
        FindingKind(
            .sha1Pin, [.error],
            "The pin is a SHA-1, of which collisions can be made.",
            remedy: "Pin the SHA-256: holdfast pin FILE."),
        FindingKind(
            .unquotedPin, [.error],
            "A pin of the header stands without quotation marks.",
            remedy: "Write pin-sha256=\"…\"."),
        FindingKind(
            .missingPin, [.error],
            "There is no pin.",
            remedy: "Add one, and a backup."),
        FindingKind(
            .missingHash, [.error],
            "A pin has no hash.",
            remedy: "Add it, or take the pin out."),
        FindingKind(
            .missingDigest, [.error],
            "A pin does not say which digest it is.",
            remedy: "Add digest=\"SHA-256\"."),
        FindingKind(
            .unknownDigest, [.error],
            "The digest is not SHA-256.",
            remedy: "Pin the SHA-256: holdfast pin FILE."),
        FindingKind(
            .filePath, [.error],
            "A path stands in the place of a pin.",
            remedy: "Print the key's pin, and write that: holdfast pin FILE."),
        FindingKind(
            .unknownPinSet, [.error],
            "A pin set of that name does not exist.",
            remedy: "Fix the name, or add the set."),
        FindingKind(
            .duplicatePinSet, [.error],
            "Two pin sets have one name.",
            remedy: "Rename one, or join the two."),
        FindingKind(
            .unknownKeyName, [.error],
            "A key's name stands for a hash that is not known.",
            remedy: "Give Chromium's second file with --keys."),
        FindingKind(
            .invalidKey, [.error],
            "A key of Chromium's second file cannot be read.",
            remedy: "Fix the entry in that file."),
        FindingKind(
            .invalidDate, [.error],
            "The text is not a valid date, or lacks the required time zone. TrustKit takes it for \"never\".",
            remedy: "Write the form that the message shows."),
        FindingKind(
            .missingMaxAge, [.error],
            "The header has no max-age.",
            remedy: "Add it; browsers ignored headers without it."),
        FindingKind(
            .invalidMaxAge, [.error],
            "max-age is not a number of seconds.",
            remedy: "Write digits alone."),
        FindingKind(
            .unusedMaxAge, [.note],
            "A header that only reports has a max-age, which means nothing.",
            remedy: "Take it out."),
        FindingKind(
            .relativeExpiry, [.warning, .note],
            "The end of the pins counts from the receipt of the header.",
            remedy: "Say when that was: --at."),
        FindingKind(
            .localExpiry, [.note],
            "The pins end at midnight in the zone of the device.",
            remedy: "Leave a day between the end and the switch of keys."),
        FindingKind(
            .invalidReportURI, [.error],
            "A report URI is not an http or https URL.",
            remedy: "Write a URL that begins with http:// or https://."),
        FindingKind(
            .defaultReportURI, [.note],
            "The library would also report to its maker; Holdfast never does.",
            remedy: "Set the key that disables it, for the apps that still use that library."),
        FindingKind(
            .excludedWithPins, [.error],
            "A host is left out and has pins.",
            remedy: "Keep one of the two."),
        FindingKind(
            .exclusionWithOtherKeys, [.error],
            "An excluded subdomain has other keys, which TrustKit refuses.",
            remedy: "Keep the exclude key alone."),
        FindingKind(
            .exclusionWithoutParent, [.error],
            "A host is left out of nothing, which TrustKit refuses.",
            remedy: "Take the entry out, or let a parent include its subdomains."),
        FindingKind(
            .misspeltExcludeKey, [.error, .warning],
            "The exclude key is written in a way that TrustKit does not read: there the subdomain stays pinned.",
            remedy: "Write kSKExcludeSubdomainFromParentPolicy."),
        FindingKind(
            .deprecatedKey, [.note],
            "TrustKit ignores the key.",
            remedy: "Take it out."),
        FindingKind(
            .swizzling, [.warning],
            "Swizzling is not honoured.",
            remedy: "Hand the policy to each client that shall use it."),
        FindingKind(
            .userAnchors, [.warning],
            "Pins hold for anchors that the user added, too.",
            remedy: "Give the anchors to the policy by name, if they shall not."),
        FindingKind(
            .otherPins, [.warning],
            "The file holds pins of another format too.",
            remedy: "Read it again in that format."),
        FindingKind(
            .emptyIdentities, [.warning],
            "A list of identities is there and empty: every connection is refused.",
            remedy: "Fill the list, or take it out."),
        FindingKind(
            .unpinned, [.warning],
            "An entry names no identity, and pins nothing.",
            remedy: "Add identities, or take the entry out."),
        FindingKind(
            .emptyPinSet, [.error],
            "Pins are enforced and the set is empty, which TrustKit-Android refuses.",
            remedy: "Add pins, or take trustkit-config out."),
        FindingKind(
            .severalDomains, [.warning],
            "TrustKit-Android reads only the last domain of a domain-config.",
            remedy: "Write a domain-config for each domain."),
        FindingKind(
            .debugOverrides, [.warning],
            "What holds for debuggable builds alone is not taken over.",
            remedy: "Give debug anchors to the policy by name."),
        FindingKind(
            .certificateTransparency, [.warning],
            "Certificate transparency is required, which is not checked here.",
            remedy: "Do not rely on it for connections that this policy judges."),
        FindingKind(
            .overridePins, [.warning],
            "Pins are switched off for certain anchors, which is not taken over.",
            remedy: "Give the anchors to the policy by name."),
        FindingKind(
            .trustAnchors, [.warning],
            "Trust anchors are named that are not in the file, and are not taken over.",
            remedy: "Give the anchors to the policy by name."),
        FindingKind(
            .unknownSource, [.error],
            "The source of certificates is unknown.",
            remedy: "Write system, user or @raw/NAME."),
        FindingKind(
            .otherSetting, [.note],
            "A setting is not about pins, and is not taken over.",
            remedy: "Nothing, if it is kept elsewhere."),
        FindingKind(
            .denyIsGlobal, [.warning],
            "Chromium denies keys for the hosts of a pin set; here they are denied everywhere.",
            remedy: "Check that no other host uses the keys."),
        FindingKind(
            .missingCertificates, [.error],
            "There are anchors without certificates.",
            remedy: "Add the key certificates."),
        FindingKind(
            .invalidCertificate, [.error],
            "A certificate cannot be read.",
            remedy: "Give it in PEM."),
    ]
}
