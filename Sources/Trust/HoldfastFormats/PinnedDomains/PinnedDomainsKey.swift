/// The keys of `NSPinnedDomains`.
enum PinnedDomainsKey {
    static let transportSecurity = "NSAppTransportSecurity"
    static let domains = "NSPinnedDomains"
    static let includesSubdomains = "NSIncludesSubdomains"
    static let authorities = "NSPinnedCAIdentities"
    static let leaves = "NSPinnedLeafIdentities"
    static let hash = "SPKI-SHA256-BASE64"
}
