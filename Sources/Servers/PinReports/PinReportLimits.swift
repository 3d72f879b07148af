/// The limits on the size of one report.
package struct PinReportLimits: Hashable, Sendable {
    /// The maximum size of a report in bytes. Ten certificates with RSA-4096 keys, sent twice, have about 50,000.
    ///
    /// - Error: 413 `tooLarge`
    package var bodyBytes = 128 * 1024
    /// The maximum number of certificates in a chain.
    ///
    /// - Error: 400 `tooMuch`
    package var chainLength = 20
    /// The maximum size of a certificate's PEM text in bytes.
    ///
    /// - Error: 400 `tooMuch`
    package var certificateBytes = 32 * 1024
    /// The maximum size of any other string in bytes.
    ///
    /// - Error: 400 `tooMuch`
    package var stringBytes = 512
    /// The maximum number of known pins in a report.
    ///
    /// - Error: 400 `tooMuch`
    package var pins = 200
    /// The maximum number of unknown members in a report, for later versions of the formats.
    ///
    /// - Error: 400 `tooMuch`
    package var unknownMembers = 16

    /// Creates limits with the defaults.
    package init() {}
}
