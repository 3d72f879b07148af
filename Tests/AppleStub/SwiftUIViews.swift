// The views, shapes, colors and fonts of Apple's SwiftUI that Holdfast uses. See SwiftUI.swift.

public import CoreGraphics
public import Foundation

// MARK: Texts, pictures and controls

@available(iOS 13.0, macOS 10.15, *)
public struct Text: View, Equatable, Sendable {
    public init(verbatim content: String) {}
    @_disfavoredOverload public init<S>(_ content: S) where S: StringProtocol {}
    @available(iOS 15.0, macOS 12.0, *)
    public init(_ attributedContent: AttributedString) {}
    public func font(_ font: Font?) -> Text { self }
    @available(iOS 17.0, macOS 14.0, *)
    public func foregroundStyle<S>(_ style: S) -> Text where S: ShapeStyle { self }
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
public struct Image: View, Equatable, Sendable {
    public enum Orientation: UInt8, CaseIterable, Hashable, Sendable { case up }
    public enum ResizingMode: Sendable { case tile, stretch }

    public init(_ name: String, bundle: Bundle? = nil) {}
    @available(iOS 13.0, macOS 11.0, *)
    public init(systemName: String) {}
    public init(decorative cgImage: CGImage, scale: CGFloat, orientation: Orientation = .up) {}
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch) -> Image { self }
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
public struct EdgeInsets: Equatable, Sendable {
    public init() {}
}

@available(iOS 14.0, macOS 11.0, *)
@MainActor @preconcurrency public struct Label<Title, Icon>: View where Title: View, Icon: View {
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {}
    public var body: Never { fatalError() }
}

extension Label where Title == Text, Icon == Image {
    @_disfavoredOverload public init<S>(_ title: S, systemImage name: String) where S: StringProtocol {}
}

@available(iOS 13.0, macOS 10.15, *)
@MainActor @preconcurrency public struct Button<Label>: View where Label: View {
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
    @available(iOS 15.0, macOS 12.0, *)
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
    public var body: Never { fatalError() }
}

@available(iOS 14.0, macOS 11.0, *)
@MainActor @preconcurrency public struct Link<Label>: View where Label: View {
    public init(destination: URL, @ViewBuilder label: () -> Label) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
@MainActor @preconcurrency public struct TextField<Label>: View where Label: View {
    public var body: Never { fatalError() }
}

extension TextField where Label == Text {
    @_disfavoredOverload public init<S>(_ title: S, text: Binding<String>) where S: StringProtocol {}
    @available(iOS 16.0, macOS 13.0, *)
    @_disfavoredOverload public init<S>(_ title: S, text: Binding<String>, axis: Axis) where S: StringProtocol {}
    @available(iOS 16.0, macOS 13.0, *)
    @_disfavoredOverload
    public init<S>(_ title: S, text: Binding<String>, prompt: Text?, axis: Axis) where S: StringProtocol {}
}

@available(iOS 14.0, macOS 11.0, *)
@MainActor @preconcurrency public struct ProgressView<Label, CurrentValueLabel>: View
where Label: View, CurrentValueLabel: View {
    public var body: Never { fatalError() }
}

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
    public nonisolated init() {}
    public nonisolated init<V>(value: V?, total: V = 1.0) where V: BinaryFloatingPoint {}
}

@available(iOS 13.0, macOS 10.15, *)
@MainActor @preconcurrency public struct Slider<Label, ValueLabel>: View where Label: View, ValueLabel: View {
    public var body: Never { fatalError() }
}

extension Slider where Label == EmptyView, ValueLabel == EmptyView {
    public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {}
}

// MARK: Containers

@available(iOS 13.0, macOS 10.15, *)
public struct Group<Content> {}

extension Group: View where Content: View {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
@MainActor @preconcurrency public struct HStack<Content>: View where Content: View {
    public nonisolated init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
@MainActor @preconcurrency public struct VStack<Content>: View where Content: View {
    public nonisolated init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError() }
}

@available(iOS 14.0, macOS 11.0, *)
public struct PinnedScrollableViews: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

@available(iOS 14.0, macOS 11.0, *)
@MainActor @preconcurrency public struct LazyVStack<Content>: View where Content: View {
    public nonisolated init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = .init(),
        @ViewBuilder content: () -> Content
    ) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
@MainActor @preconcurrency public struct ScrollView<Content>: View where Content: View {
    public nonisolated init(_ axes: Axis.Set = .vertical, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
@MainActor @preconcurrency public struct Spacer: View {
    public nonisolated init(minLength: CGFloat? = nil) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
public struct ForEach<Data, ID, Content> where Data: RandomAccessCollection, ID: Hashable {}

extension ForEach: View where Content: View {
    public var body: Never { fatalError() }
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

extension ForEach where Content: View {
    public nonisolated init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
}

@available(iOS 15.0, macOS 12.0, *)
public protocol TimelineSchedule {}

@available(iOS 15.0, macOS 12.0, *)
public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {
    public init(from startDate: Date, by interval: TimeInterval) {}
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
        PeriodicTimelineSchedule(from: startDate, by: interval)
    }
}

@available(iOS 15.0, macOS 12.0, *)
public struct TimelineViewDefaultContext: Sendable {
    public let date: Date
}

@available(iOS 15.0, macOS 12.0, *)
public struct TimelineView<Schedule, Content> where Schedule: TimelineSchedule {
    public struct Context {
        public var date: Date { fatalError() }
    }
}

extension TimelineView: View where Content: View {
    public nonisolated init(
        _ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content
    ) {}
    public var body: Never { fatalError() }
}

// MARK: Shapes, colors and fonts

@available(iOS 13.0, macOS 10.15, *)
public protocol ShapeStyle: Sendable {}

@available(iOS 13.0, macOS 10.15, *)
public protocol Shape: Sendable, View {}

extension Shape {
    public func fill<S>(_ content: S) -> some View where S: ShapeStyle { EmptyView() }
    public func stroke<S>(_ content: S, lineWidth: CGFloat = 1) -> some View where S: ShapeStyle { EmptyView() }
}

@available(iOS 13.0, macOS 10.15, *)
public protocol InsettableShape: Shape {}

public struct Rectangle: InsettableShape {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

public struct Capsule: InsettableShape {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

public struct Circle: InsettableShape {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

public struct RoundedRectangle: InsettableShape {
    public nonisolated init(cornerRadius: CGFloat) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
public struct Color: Hashable, Sendable, ShapeStyle, View {
    public enum RGBColorSpace: Sendable { case sRGB, sRGBLinear, displayP3 }

    public nonisolated init(
        _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
    ) {}
    public nonisolated static var primary: Color { Color(red: 0, green: 0, blue: 0) }
    public var body: Never { fatalError() }
}

@available(iOS 13.0, macOS 10.15, *)
public struct Font: Hashable, Sendable {
    public enum TextStyle: CaseIterable, Sendable { case body }

    public struct Weight: Hashable, Sendable {
        public static let regular = Weight()
        public static let medium = Weight()
        public static let semibold = Weight()
        public static let bold = Weight()
    }

    public enum Design: Hashable, Sendable { case `default` }

    public static func system(size: CGFloat, weight: Weight? = nil, design: Design? = nil) -> Font { Font() }
    @available(iOS 14.0, macOS 11.0, *)
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font { Font() }
    public func weight(_ weight: Weight) -> Font { self }
}

// MARK: Attributes of texts

@available(iOS 15.0, macOS 12.0, *)
extension AttributeScopes {
    public struct SwiftUIAttributes: AttributeScope {
        public let font: FontAttribute
        public let foregroundColor: ForegroundColorAttribute

        public enum FontAttribute: AttributedStringKey {
            public typealias Value = Font
            public static let name = "SwiftUI.Font"
        }

        public enum ForegroundColorAttribute: AttributedStringKey {
            public typealias Value = Color
            public static let name = "SwiftUI.ForegroundColor"
        }
    }
}

@available(iOS 15.0, macOS 12.0, *)
extension AttributeDynamicLookup {
    public subscript<T>(
        dynamicMember keyPath: KeyPath<AttributeScopes.SwiftUIAttributes, T>
    ) -> T where T: AttributedStringKey { fatalError() }
}
