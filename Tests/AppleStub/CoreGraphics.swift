// The names of Apple's CoreGraphics framework that Holdfast uses and that Foundation for Linux lacks:
// `scripts/check-apple.sh` compiles this into a module named CoreGraphics. Nothing here is ever run.

@available(iOS 2.0, macOS 10.0, *)
public final class CGImage {}
