// The signatures of Apple's ImageIO framework that Holdfast uses: `scripts/check-apple.sh` compiles this into a module
// named ImageIO. Nothing here is ever run.

@_exported public import CoreGraphics  // reason: ImageIO brings it along
public import Security

@available(iOS 4.0, macOS 10.4, *)
public final class CGImageSource {}

@available(iOS 4.0, macOS 10.4, *)
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { nil }
@available(iOS 4.0, macOS 10.4, *)
public func CGImageSourceCreateThumbnailAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { nil }

public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = "kCGImageSourceCreateThumbnailFromImageAlways"
public let kCGImageSourceCreateThumbnailWithTransform: CFString = "kCGImageSourceCreateThumbnailWithTransform"
public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
