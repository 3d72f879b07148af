/// The keys of TrustKit's configuration.
enum TrustKitKey {
    static let configuration = "TSKConfiguration"
    static let swizzle = "TSKSwizzleNetworkDelegates"
    static let ignoreUserAnchors = "TSKIgnorePinningForUserDefinedTrustAnchors"
    static let domains = "TSKPinnedDomains"

    static let hashes = "TSKPublicKeyHashes"
    static let enforce = "TSKEnforcePinning"
    static let includeSubdomains = "TSKIncludeSubdomains"
    /// What TrustKit's documentation says. TrustKit itself reads only ``excludeAsRead``.
    static let exclude = "TSKExcludeSubdomainFromParentPolicy"
    /// What TrustKit's source says.
    static let excludeAsRead = "kSKExcludeSubdomainFromParentPolicy"
    static let reportURIs = "TSKReportUris"
    static let disableDefaultReportURI = "TSKDisableDefaultReportUri"
    static let expiration = "TSKExpirationDate"
    static let algorithms = "TSKPublicKeyAlgorithms"

    static let global: Set<String> = [swizzle, ignoreUserAnchors, domains]
    static let domain: Set<String> = [
        hashes, enforce, includeSubdomains, exclude, excludeAsRead, reportURIs, disableDefaultReportURI, expiration,
        algorithms,
    ]
}
