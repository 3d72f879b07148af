/// The version of this package. Everything that names a version uses this constant.
package enum PackageVersion {
    /// The version, by the rules of Semantic Versioning. A test compares it with the changelog.
    package static let current = "0.1.0"
}
