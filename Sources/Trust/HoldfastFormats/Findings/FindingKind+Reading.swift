import HoldfastTrust

extension FindingKind {
    /// The findings of readers.
    static let reading: [FindingKind] = [
        FindingKind(
            .unknownFormat, [.error],
            "The format of the file is not recognized.",
            remedy:
                "Name the format with --policy-format (lint, explain) or --from (convert), or check that it is the right file."
        ),
        FindingKind(
            .noPropertyList, [.error],
            "Policies in this format are not property lists.",
            remedy: "Read the bytes of the file in its own format."),
        FindingKind(
            .tooLarge, [.error],
            "The file or one of its parts exceeds a size limit.",
            remedy: "Split the policy, or check that it is the right file."),
        FindingKind(
            .tooDeep, [.error],
            "Elements are nested too deeply.",
            remedy: "Check that it is the right file."),
        FindingKind(
            .tooManyFindings, [.error, .warning],
            "The file has more findings than are listed.",
            remedy: "Fix the listed findings, then run the command again."),
        FindingKind(
            .notUTF8, [.error],
            "The text is not valid UTF-8.",
            remedy: "Save the file as UTF-8."),
        FindingKind(
            .invalidJSON, [.error],
            "The text is not valid JSON, or a key occurs twice.",
            remedy: "Fix the JSON at the given position."),
        FindingKind(
            .malformedXML, [.error],
            "The text is not well-formed XML.",
            remedy: "Fix the XML at the given position."),
        FindingKind(
            .unknownEntity, [.error],
            "An entity is not one of the five predefined XML entities.",
            remedy: "Write the character itself or a numeric reference."),
        FindingKind(
            .documentType, [.error],
            "A document type declaration is not allowed here, or it contains declarations.",
            remedy: "Remove the DOCTYPE."),
        FindingKind(
            .malformedPropertyList, [.error],
            "The XML is not a valid property list.",
            remedy: "Fix it at the given position; plutil -lint FILE prints what Apple's parser reports."),
        FindingKind(
            .binaryPropertyList, [.error],
            "The property list is binary.",
            remedy: "Convert it: plutil -convert xml1 FILE."),
        FindingKind(
            .malformedSource, [.error],
            "A comment, literal or call is not terminated, or Java and Kotlin read it differently.",
            remedy: "Fix the source at the given position."),
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
            "The header has a syntax error.",
            remedy: "Write directives as name=value or name=\"value\", separated by semicolons."),
        FindingKind(
            .wrongRoot, [.error],
            "The root element is not the expected one.",
            remedy: "Check that it is the right file."),
        FindingKind(
            .wrongType, [.error],
            "A value has the wrong type.",
            remedy: "Write a value of the type that the message names."),
        FindingKind(
            .booleanAsText, [.warning],
            "A boolean is written as a string.",
            remedy: "Write a boolean, not a string."),
        FindingKind(
            .unknownKey, [.error, .warning],
            "A key is unknown: an error in Holdfast's own format; ignored in other formats, as their libraries do.",
            remedy: "Fix the spelling, or remove the key."),
        FindingKind(
            .unknownValue, [.error],
            "A value is not one of those that the key allows.",
            remedy: "Write one of the values that the message names."),
        FindingKind(
            .unknownVersion, [.error],
            "The file has an unsupported version of the format.",
            remedy: "Write the file in version 1 of the format."),
        FindingKind(
            .missingVersion, [.error],
            "The version of Holdfast's format is missing.",
            remedy: "Add \"holdfast\": 1."),
        FindingKind(
            .unknownElement, [.warning],
            "An element is unknown, and the library ignores it.",
            remedy: "Fix the spelling, or remove the element."),
        FindingKind(
            .unknownDirective, [.warning, .note],
            "A directive is unknown, and browsers ignore it.",
            remedy: "Remove it."),
        FindingKind(
            .misplacedElement, [.error],
            "An element is not allowed at this place.",
            remedy: "Move it into a domain-config."),
        FindingKind(
            .secondElement, [.error],
            "An element that may occur once occurs twice.",
            remedy: "Merge the two elements."),
        FindingKind(
            .duplicateDirective, [.error],
            "A directive occurs twice.",
            remedy: "Remove one of the two."),
        FindingKind(
            .unexpectedValue, [.error],
            "A directive has a value, but does not take one.",
            remedy: "Remove the value."),
        FindingKind(
            .severalHeaders, [.error],
            "The file contains more than one header.",
            remedy: "Read each header separately."),
        FindingKind(
            .contradiction, [.error],
            "Two spellings of one key have different values.",
            remedy: "Keep one of the two keys."),
        FindingKind(
            .invalidHost, [.error],
            "The text is not a valid host.",
            remedy: "Write a DNS name or an IP address, without scheme, port or path."),
        FindingKind(
            .missingHost, [.error],
            "The host is missing.",
            remedy: "Add it with the key host, or with --host for formats that do not name one."),
        FindingKind(
            .duplicateHost, [.error, .warning],
            "Two entries have the same canonical host.",
            remedy: "Merge the two entries."),
        FindingKind(
            .subdomainsOfAddress, [.error],
            "Subdomains of an IP address are included.",
            remedy: "Remove the option: IP addresses do not have subdomains."),
        FindingKind(
            .twoDepths, [.error],
            "The depth of a host pattern is given twice.",
            remedy: "Keep one of includesSubdomains, depth and the asterisks."),
        FindingKind(
            .noPinnedDomains, [.error],
            "The file does not pin any host.",
            remedy: "Add a host, or do not load the file."),
        FindingKind(
            .noEntries, [.error],
            "Chromium's list of entries is missing.",
            remedy: "Add the key \"entries\"."),
        FindingKind(
            .noDomain, [.error],
            "A domain-config has no domain.",
            remedy: "Add a domain, or remove the element."),
        FindingKind(
            .missingName, [.error],
            "An entry or a pin set does not have a name.",
            remedy: "Add the name."),
        FindingKind(
            .invalidPin, [.error],
            "The text is not a SHA-256 hash in base64.",
            remedy: "Print the pin again: holdfast pin FILE."),
        FindingKind(
            .sha1Pin, [.error],
            "The pin is a SHA-1 hash, for which collisions can be computed.",
            remedy: "Pin the SHA-256 hash: holdfast pin FILE."),
        FindingKind(
            .unquotedPin, [.error],
            "A pin in the header is not in quotation marks.",
            remedy: "Write pin-sha256=\"…\"."),
        FindingKind(
            .missingPin, [.error],
            "The entry does not have a pin.",
            remedy: "Add a pin and a backup pin."),
        FindingKind(
            .missingHash, [.error],
            "A pin does not have a hash.",
            remedy: "Add the hash, or remove the pin."),
        FindingKind(
            .missingDigest, [.error],
            "The digest algorithm of a pin is missing.",
            remedy: "Add digest=\"SHA-256\"."),
        FindingKind(
            .unknownDigest, [.error],
            "The digest algorithm is not SHA-256.",
            remedy: "Pin the SHA-256 hash: holdfast pin FILE."),
        FindingKind(
            .filePath, [.error],
            "The value is a file path, not a pin.",
            remedy: "Write the pin of the key: holdfast pin FILE."),
        FindingKind(
            .unknownPinSet, [.error],
            "The pin set does not exist.",
            remedy: "Fix the name, or add the pin set."),
        FindingKind(
            .duplicatePinSet, [.error],
            "Two pin sets have the same name.",
            remedy: "Rename one, or merge the two."),
        FindingKind(
            .unknownKeyName, [.error],
            "The hash of a named key is unknown.",
            remedy: "Provide Chromium's key file with --keys."),
        FindingKind(
            .invalidKey, [.error],
            "A key in Chromium's key file cannot be read.",
            remedy: "Fix the entry in that file."),
        FindingKind(
            .invalidDate, [.error],
            "The text is not a valid date, or lacks the required time zone. TrustKit treats such a date as \"never\".",
            remedy: "Write the date in the form that the message shows."),
        FindingKind(
            .missingMaxAge, [.error],
            "The header has no max-age.",
            remedy: "Add it; browsers ignore headers without it."),
        FindingKind(
            .invalidMaxAge, [.error],
            "max-age is not a number of seconds.",
            remedy: "Write digits only."),
        FindingKind(
            .unusedMaxAge, [.note],
            "A report-only header has a max-age, which has no effect.",
            remedy: "Remove it."),
        FindingKind(
            .relativeExpiry, [.warning, .note],
            "The expiry of the pins counts from the time at which the header was received.",
            remedy: "Provide that time with --at."),
        FindingKind(
            .localExpiry, [.note],
            "The pins expire at midnight in the time zone of the device.",
            remedy: "Leave a day between the expiry and the change of keys."),
        FindingKind(
            .invalidReportURI, [.error],
            "A report URI is not an http or https URL.",
            remedy: "Write a URL that begins with http:// or https://."),
        FindingKind(
            .defaultReportURI, [.note],
            "The library also reports to its vendor; Holdfast never does.",
            remedy: "For apps that still use the library, set the key that disables this."),
        FindingKind(
            .excludedWithPins, [.error],
            "A host is excluded and has pins.",
            remedy: "Remove the exclusion or the pins."),
        FindingKind(
            .exclusionWithOtherKeys, [.error],
            "An excluded subdomain has other keys, which TrustKit refuses.",
            remedy: "Keep only the exclude key."),
        FindingKind(
            .exclusionWithoutParent, [.error],
            "An excluded host has no parent that covers it, which TrustKit refuses.",
            remedy: "Remove the entry, or include subdomains in a parent's entry."),
        FindingKind(
            .misspeltExcludeKey, [.error, .warning],
            "TrustKit does not read this spelling of the exclude key: the subdomain stays pinned in TrustKit.",
            remedy: "Write kSKExcludeSubdomainFromParentPolicy."),
        FindingKind(
            .deprecatedKey, [.note],
            "TrustKit ignores the key.",
            remedy: "Remove it."),
        FindingKind(
            .swizzling, [.warning],
            "Swizzling is not supported.",
            remedy: "Pass the policy to each client that must use it."),
        FindingKind(
            .userAnchors, [.warning],
            "Pins also apply to trust anchors that the user added.",
            remedy: "To change that, name the trust anchors in the policy."),
        FindingKind(
            .otherPins, [.warning],
            "The file also contains pins in another format.",
            remedy: "Read the file again in that format."),
        FindingKind(
            .emptyIdentities, [.warning],
            "A list of identities is empty: every connection is refused.",
            remedy: "Add identities, or remove the list."),
        FindingKind(
            .unpinned, [.warning],
            "An entry has no identities and does not pin its host.",
            remedy: "Add identities, or remove the entry."),
        FindingKind(
            .emptyPinSet, [.error],
            "Pins are enforced, but the set is empty, which TrustKit-Android refuses.",
            remedy: "Add pins, or remove trustkit-config."),
        FindingKind(
            .severalDomains, [.warning],
            "TrustKit-Android reads only the last domain of a domain-config.",
            remedy: "Write a domain-config for each domain."),
        FindingKind(
            .debugOverrides, [.warning],
            "Settings for debuggable builds are not imported.",
            remedy: "Name debug trust anchors in the policy."),
        FindingKind(
            .certificateTransparency, [.warning],
            "Certificate transparency is required of every host, but Holdfast requires it only in rules for hosts.",
            remedy: "Add certificateTransparency to each domain-config."),
        FindingKind(
            .overridePins, [.warning],
            "Pins are disabled for certain anchors, which is not imported.",
            remedy: "Name the trust anchors in the policy."),
        FindingKind(
            .trustAnchors, [.warning],
            "The trust anchors are not part of the file and are not imported.",
            remedy: "Name the trust anchors in the policy."),
        FindingKind(
            .unknownSource, [.error],
            "The source of certificates is unknown.",
            remedy: "Write system, user or @raw/NAME."),
        FindingKind(
            .otherSetting, [.note],
            "A setting does not concern pins and is not imported.",
            remedy: "None, if the setting is kept elsewhere."),
        FindingKind(
            .denyIsGlobal, [.warning],
            "Chromium denies keys only for the hosts of a pin set; Holdfast denies them for every host.",
            remedy: "Check that other hosts do not use the keys."),
        FindingKind(
            .missingCertificates, [.error],
            "The trust anchors have no certificates.",
            remedy: "Add the key \"certificates\"."),
        FindingKind(
            .invalidCertificate, [.error],
            "A certificate cannot be read.",
            remedy: "Provide it in PEM."),
    ]
}
