/// The formats in which policies are written.
public enum PolicyFormat: String, Hashable, Sendable, CaseIterable {
    /// Holdfast's own JSON.
    case holdfast
    /// TrustKit's dictionary, as a property list or JSON.
    case trustKit = "trustkit"
    /// `NSPinnedDomains` below `NSAppTransportSecurity` of an Info.plist.
    case pinnedDomains = "nspinneddomains"
    /// Android's network security configuration, TrustKit-Android's extension included.
    case android
    /// OkHttp's `CertificatePinner`: lines of `pattern sha256/…`.
    case okHttp = "okhttp"
    /// The `Public-Key-Pins` header of RFC 7469.
    case hpkp
    /// Chromium's static pins.
    case chromium
    /// curl's `--pinnedpubkey`.
    case curl
}
