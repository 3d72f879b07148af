public import HoldfastTrust

/// The codes of the readers of foreign formats.
extension PolicyDiagnostic.Code {
    /// The format of the file is not recognized.
    public static let unknownFormat = Self(rawValue: "unknown-format")
    /// Policies in this format are not property lists.
    public static let noPropertyList = Self(rawValue: "no-property-list")
    /// The file or one of its parts exceeds a size limit.
    public static let tooLarge = Self(rawValue: "too-large")
    /// Elements are nested too deeply.
    public static let tooDeep = Self(rawValue: "too-deep")
    /// The text is not valid UTF-8.
    public static let notUTF8 = Self(rawValue: "not-utf8")
    /// The text is not well-formed XML.
    public static let malformedXML = Self(rawValue: "malformed-xml")
    /// An entity is not one of the five predefined XML entities.
    public static let unknownEntity = Self(rawValue: "unknown-entity")
    /// A document type declaration is not allowed here, or it contains declarations.
    public static let documentType = Self(rawValue: "document-type")
    /// The XML is not a valid property list.
    public static let malformedPropertyList = Self(rawValue: "malformed-property-list")
    /// The property list is binary.
    public static let binaryPropertyList = Self(rawValue: "binary-property-list")
    /// A comment, literal or call is not terminated, or Java and Kotlin read it differently.
    public static let malformedSource = Self(rawValue: "malformed-source")
    /// An argument of add is not a plain string literal.
    public static let notALiteral = Self(rawValue: "not-a-literal")
    /// A pin is not an argument of add.
    public static let misplacedPin = Self(rawValue: "misplaced-pin")
    /// The header has a syntax error.
    public static let malformedHeader = Self(rawValue: "malformed-header")
    /// The root element is not the expected one.
    public static let wrongRoot = Self(rawValue: "wrong-root")
    /// A boolean is written as a string.
    public static let booleanAsText = Self(rawValue: "boolean-as-text")
    /// An element is unknown, and the library ignores it.
    public static let unknownElement = Self(rawValue: "unknown-element")
    /// A directive is unknown, and browsers ignore it.
    public static let unknownDirective = Self(rawValue: "unknown-directive")
    /// An element is not allowed at this place.
    public static let misplacedElement = Self(rawValue: "misplaced-element")
    /// An element that may occur once occurs twice.
    public static let secondElement = Self(rawValue: "second-element")
    /// A directive occurs twice.
    public static let duplicateDirective = Self(rawValue: "duplicate-directive")
    /// A directive has a value, but does not take one.
    public static let unexpectedValue = Self(rawValue: "unexpected-value")
    /// The file contains more than one header.
    public static let severalHeaders = Self(rawValue: "several-headers")
    /// Two spellings of one key have different values.
    public static let contradiction = Self(rawValue: "contradiction")
    /// Two entries have the same canonical host.
    public static let duplicateHost = Self(rawValue: "duplicate-host")
    /// The file does not pin any host.
    public static let noPinnedDomains = Self(rawValue: "no-pinned-domains")
    /// Chromium's list of entries is missing.
    public static let noEntries = Self(rawValue: "no-entries")
    /// A domain-config has no domain.
    public static let noDomain = Self(rawValue: "no-domain")
    /// An entry or a pin set does not have a name.
    public static let missingName = Self(rawValue: "missing-name")
    /// The pin is a SHA-1 hash, for which collisions can be computed.
    public static let sha1Pin = Self(rawValue: "sha1-pin")
    /// A pin in the header is not in quotation marks.
    public static let unquotedPin = Self(rawValue: "unquoted-pin")
    /// The entry does not have a pin.
    public static let missingPin = Self(rawValue: "missing-pin")
    /// The digest algorithm of a pin is missing.
    public static let missingDigest = Self(rawValue: "missing-digest")
    /// The digest algorithm is not SHA-256.
    public static let unknownDigest = Self(rawValue: "unknown-digest")
    /// The value is a file path, not a pin.
    public static let filePath = Self(rawValue: "file-path")
    /// The pin set does not exist.
    public static let unknownPinSet = Self(rawValue: "unknown-pin-set")
    /// Two pin sets have the same name.
    public static let duplicatePinSet = Self(rawValue: "duplicate-pin-set")
    /// The hash of a named key is unknown.
    public static let unknownKeyName = Self(rawValue: "unknown-key-name")
    /// A key in Chromium's key file cannot be read.
    public static let invalidKey = Self(rawValue: "invalid-key")
    /// The header has no max-age.
    public static let missingMaxAge = Self(rawValue: "missing-max-age")
    /// max-age is not a number of seconds.
    public static let invalidMaxAge = Self(rawValue: "invalid-max-age")
    /// A report-only header has a max-age, which has no effect.
    public static let unusedMaxAge = Self(rawValue: "unused-max-age")
    /// The expiry of the pins counts from the time at which the header was received.
    public static let relativeExpiry = Self(rawValue: "relative-expiry")
    /// The pins expire at midnight in the time zone of the device.
    public static let localExpiry = Self(rawValue: "local-expiry")
    /// The library also reports to its vendor; Holdfast never does.
    public static let defaultReportURI = Self(rawValue: "default-report-uri")
    /// An excluded subdomain has other keys, which TrustKit refuses.
    public static let exclusionWithOtherKeys = Self(rawValue: "exclusion-with-other-keys")
    /// An excluded host has no parent that covers it, which TrustKit refuses.
    public static let exclusionWithoutParent = Self(rawValue: "exclusion-without-parent")
    /// TrustKit does not read this spelling of the exclude key: the subdomain stays pinned in TrustKit.
    public static let misspeltExcludeKey = Self(rawValue: "misspelt-exclude-key")
    /// TrustKit ignores the key.
    public static let deprecatedKey = Self(rawValue: "deprecated-key")
    /// Swizzling is not supported.
    public static let swizzling = Self(rawValue: "swizzling")
    /// Pins also apply to trust anchors that the user added.
    public static let userAnchors = Self(rawValue: "user-anchors")
    /// The file also contains pins in another format.
    public static let otherPins = Self(rawValue: "other-pins")
    /// A list of identities is empty: every connection is refused.
    public static let emptyIdentities = Self(rawValue: "empty-identities")
    /// An entry has no identities and does not pin its host.
    public static let unpinned = Self(rawValue: "unpinned")
    /// Pins are enforced, but the set is empty, which TrustKit-Android refuses.
    public static let emptyPinSet = Self(rawValue: "empty-pin-set")
    /// TrustKit-Android reads only the last domain of a domain-config.
    public static let severalDomains = Self(rawValue: "several-domains")
    /// Settings for debuggable builds are not imported.
    public static let debugOverrides = Self(rawValue: "debug-overrides")
    /// Certificate transparency is required, but Holdfast does not check it.
    public static let certificateTransparency = Self(rawValue: "certificate-transparency")
    /// Pins are disabled for certain anchors, which is not imported.
    public static let overridePins = Self(rawValue: "override-pins")
    /// The trust anchors are not part of the file and are not imported.
    public static let trustAnchors = Self(rawValue: "trust-anchors")
    /// The source of certificates is unknown.
    public static let unknownSource = Self(rawValue: "unknown-source")
    /// A setting does not concern pins and is not imported.
    public static let otherSetting = Self(rawValue: "other-setting")
    /// Chromium denies keys only for the hosts of a pin set; Holdfast denies them for every host.
    public static let denyIsGlobal = Self(rawValue: "deny-is-global")
}
