/// A program that is not installed, or does not start.
package struct PeerMissing: Error {
    package init() {}
}
