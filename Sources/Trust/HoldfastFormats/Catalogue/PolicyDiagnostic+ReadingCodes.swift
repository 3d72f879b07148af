public import HoldfastTrust

/// The codes of what the readers of other formats find.
extension PolicyDiagnostic.Code {
    /// The file is none of the known formats.
    public static let unknownFormat = Self(rawValue: "unknown-format")
    /// The format is not written as a property list.
    public static let noPropertyList = Self(rawValue: "no-property-list")
    /// The file, or something in it, is larger than anything a policy needs.
    public static let tooLarge = Self(rawValue: "too-large")
    /// Elements are nested deeper than any policy needs.
    public static let tooDeep = Self(rawValue: "too-deep")
    /// The text, or a part of it, is not UTF-8.
    public static let notUTF8 = Self(rawValue: "not-utf8")
    /// The text is not well-formed XML.
    public static let malformedXML = Self(rawValue: "malformed-xml")
    /// An entity is none of the five that XML has by itself.
    public static let unknownEntity = Self(rawValue: "unknown-entity")
    /// A document type is declared where none is allowed, or declares something.
    public static let documentType = Self(rawValue: "document-type")
    /// The XML is not a property list.
    public static let malformedPropertyList = Self(rawValue: "malformed-property-list")
    /// The property list is binary.
    public static let binaryPropertyList = Self(rawValue: "binary-property-list")
    /// A comment, a literal or a call of source code does not end, or Java and Kotlin read it differently.
    public static let malformedSource = Self(rawValue: "malformed-source")
    /// An argument of add is not a plain string literal.
    public static let notALiteral = Self(rawValue: "not-a-literal")
    /// A pin is not an argument of add.
    public static let misplacedPin = Self(rawValue: "misplaced-pin")
    /// The header's grammar is broken.
    public static let malformedHeader = Self(rawValue: "malformed-header")
    /// The root element is another one.
    public static let wrongRoot = Self(rawValue: "wrong-root")
    /// A string stands where a boolean belongs.
    public static let booleanAsText = Self(rawValue: "boolean-as-text")
    /// An element is unknown, and the library skips it.
    public static let unknownElement = Self(rawValue: "unknown-element")
    /// A directive is unknown, and browsers ignored it.
    public static let unknownDirective = Self(rawValue: "unknown-directive")
    /// An element stands where it has no meaning.
    public static let misplacedElement = Self(rawValue: "misplaced-element")
    /// An element occurs twice where there is one.
    public static let secondElement = Self(rawValue: "second-element")
    /// A directive occurs twice.
    public static let duplicateDirective = Self(rawValue: "duplicate-directive")
    /// A directive has a value that takes none.
    public static let unexpectedValue = Self(rawValue: "unexpected-value")
    /// There is more than one header.
    public static let severalHeaders = Self(rawValue: "several-headers")
    /// Two spellings of one key say different things.
    public static let contradiction = Self(rawValue: "contradiction")
    /// Two entries are for the same host once both are in canonical form.
    public static let duplicateHost = Self(rawValue: "duplicate-host")
    /// The file pins no host.
    public static let noPinnedDomains = Self(rawValue: "no-pinned-domains")
    /// Chromium's list of entries is missing.
    public static let noEntries = Self(rawValue: "no-entries")
    /// A domain-config has no domain.
    public static let noDomain = Self(rawValue: "no-domain")
    /// An entry or a pin set has no name.
    public static let missingName = Self(rawValue: "missing-name")
    /// The pin is a SHA-1, of which collisions can be made.
    public static let sha1Pin = Self(rawValue: "sha1-pin")
    /// A pin of the header stands without quotation marks.
    public static let unquotedPin = Self(rawValue: "unquoted-pin")
    /// There is no pin.
    public static let missingPin = Self(rawValue: "missing-pin")
    /// A pin does not say which digest it is.
    public static let missingDigest = Self(rawValue: "missing-digest")
    /// The digest is not SHA-256.
    public static let unknownDigest = Self(rawValue: "unknown-digest")
    /// A path stands in the place of a pin.
    public static let filePath = Self(rawValue: "file-path")
    /// A pin set of that name does not exist.
    public static let unknownPinSet = Self(rawValue: "unknown-pin-set")
    /// Two pin sets have one name.
    public static let duplicatePinSet = Self(rawValue: "duplicate-pin-set")
    /// A key's name stands for a hash that is not known.
    public static let unknownKeyName = Self(rawValue: "unknown-key-name")
    /// A key of Chromium's second file cannot be read.
    public static let invalidKey = Self(rawValue: "invalid-key")
    /// The header has no max-age.
    public static let missingMaxAge = Self(rawValue: "missing-max-age")
    /// max-age is not a number of seconds.
    public static let invalidMaxAge = Self(rawValue: "invalid-max-age")
    /// A header that only reports has a max-age, which means nothing.
    public static let unusedMaxAge = Self(rawValue: "unused-max-age")
    /// The end of the pins counts from the receipt of the header.
    public static let relativeExpiry = Self(rawValue: "relative-expiry")
    /// The pins end at midnight in the zone of the device.
    public static let localExpiry = Self(rawValue: "local-expiry")
    /// The library would also report to its maker; Holdfast never does.
    public static let defaultReportURI = Self(rawValue: "default-report-uri")
    /// An excluded subdomain has other keys, which TrustKit refuses.
    public static let exclusionWithOtherKeys = Self(rawValue: "exclusion-with-other-keys")
    /// A host is left out of nothing, which TrustKit refuses.
    public static let exclusionWithoutParent = Self(rawValue: "exclusion-without-parent")
    /// The exclude key is written in a way that TrustKit does not read: there the subdomain stays pinned.
    public static let misspeltExcludeKey = Self(rawValue: "misspelt-exclude-key")
    /// TrustKit ignores the key.
    public static let deprecatedKey = Self(rawValue: "deprecated-key")
    /// Swizzling is not honoured.
    public static let swizzling = Self(rawValue: "swizzling")
    /// Pins hold for anchors that the user added, too.
    public static let userAnchors = Self(rawValue: "user-anchors")
    /// The file holds pins of another format too.
    public static let otherPins = Self(rawValue: "other-pins")
    /// A list of identities is there and empty: every connection is refused.
    public static let emptyIdentities = Self(rawValue: "empty-identities")
    /// An entry names no identity, and pins nothing.
    public static let unpinned = Self(rawValue: "unpinned")
    /// Pins are enforced and the set is empty, which TrustKit-Android refuses.
    public static let emptyPinSet = Self(rawValue: "empty-pin-set")
    /// TrustKit-Android reads only the last domain of a domain-config.
    public static let severalDomains = Self(rawValue: "several-domains")
    /// What holds for debuggable builds alone is not taken over.
    public static let debugOverrides = Self(rawValue: "debug-overrides")
    /// Certificate transparency is required, which is not checked here.
    public static let certificateTransparency = Self(rawValue: "certificate-transparency")
    /// Pins are switched off for certain anchors, which is not taken over.
    public static let overridePins = Self(rawValue: "override-pins")
    /// Trust anchors are named that are not in the file, and are not taken over.
    public static let trustAnchors = Self(rawValue: "trust-anchors")
    /// The source of certificates is unknown.
    public static let unknownSource = Self(rawValue: "unknown-source")
    /// A setting is not about pins, and is not taken over.
    public static let otherSetting = Self(rawValue: "other-setting")
    /// Chromium denies keys for the hosts of a pin set; here they are denied everywhere.
    public static let denyIsGlobal = Self(rawValue: "deny-is-global")
}
