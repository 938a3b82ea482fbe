internal import BarcodeCore
package import CLinux
internal import Glibc
internal import Synchronization
internal import VideoCapture

extension FakeCamera {
    package func control(
        _ descriptor: CInt, _ request: qz_v4l2_request, _ argument: UnsafeMutableRawPointer
    ) -> CInt {
        state.withLock { $0.answer(descriptor, request, argument, now: isRealTime ? .monotonicNow : nil) }
    }
}

extension FakeCamera.State {
    mutating func answer(
        _ descriptor: CInt, _ request: qz_v4l2_request, _ argument: UnsafeMutableRawPointer, now: Duration?
    ) -> CInt {
        guard setup.isPlugged, descriptors.contains(descriptor) else { return -ENODEV }
        move(to: now ?? clock)
        switch request {
        case qz_v4l2_querycap:
            return write(argument, v4l2_capability.self) { capability in
                copy("Fake camera", to: &capability.card)
                copy("fake", to: &capability.driver)
                capability.capabilities = setup.capabilities
            }
        case qz_v4l2_enum_fmt, qz_v4l2_enum_framesizes, qz_v4l2_enum_frameintervals:
            return enumerate(request, argument)
        case qz_v4l2_s_fmt:
            self.descriptor = descriptor
            return setFormat(argument)
        case qz_v4l2_s_parm:
            return 0
        case qz_v4l2_reqbufs, qz_v4l2_querybuf, qz_v4l2_qbuf, qz_v4l2_dqbuf:
            return exchange(request, argument)
        case qz_v4l2_streamon:
            if !setup.startErrors.isEmpty { return -setup.startErrors.removeFirst() }
            ledger.starts += 1
            nextFrame = clock + setup.interval
            sequence = setup.firstSequence
            return 0
        case qz_v4l2_streamoff:
            endStream()
            return 0
        case qz_v4l2_dqevent:
            guard setup.sourceChanges else { return -ENOENT }
            setup.sourceChanges = false
            return write(argument, v4l2_event.self) { $0.type = UInt32(V4L2_EVENT_SOURCE_CHANGE) }
        case qz_v4l2_subscribe_event:
            return 0
        case qz_v4l2_queryctrl, qz_v4l2_g_ctrl, qz_v4l2_s_ctrl:
            return adjust(request, argument)
        default:
            return -ENOTTY
        }
    }

    private func write<Argument>(
        _ argument: UnsafeMutableRawPointer, _ type: Argument.Type, _ change: (inout Argument) -> Void
    ) -> CInt {
        change(&argument.assumingMemoryBound(to: type).pointee)
        return 0
    }

    private func enumerate(_ request: qz_v4l2_request, _ argument: UnsafeMutableRawPointer) -> CInt {
        var formats: [PixelFormat] = []
        for mode in setup.modes where !formats.contains(mode.pixelFormat) { formats.append(mode.pixelFormat) }
        switch request {
        case qz_v4l2_enum_fmt:
            let index = Int(argument.assumingMemoryBound(to: v4l2_fmtdesc.self).pointee.index)
            guard formats.indices.contains(index) else { return -EINVAL }
            return write(argument, v4l2_fmtdesc.self) { $0.pixelformat = formats[index].rawValue }
        case qz_v4l2_enum_framesizes:
            let asked = argument.assumingMemoryBound(to: v4l2_frmsizeenum.self).pointee
            let sizes = setup.modes.filter { $0.pixelFormat.rawValue == asked.pixel_format }.map(\.size)
            guard sizes.indices.contains(Int(asked.index)) else { return -EINVAL }
            return write(argument, v4l2_frmsizeenum.self) { entry in
                entry.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
                entry.discrete.width = UInt32(sizes[Int(asked.index)].width)
                entry.discrete.height = UInt32(sizes[Int(asked.index)].height)
            }
        default:
            let asked = argument.assumingMemoryBound(to: v4l2_frmivalenum.self).pointee
            let mode = setup.modes.first {
                $0.pixelFormat.rawValue == asked.pixel_format && $0.size.width == Int(asked.width)
                    && $0.size.height == Int(asked.height)
            }
            guard let mode, mode.rates.indices.contains(Int(asked.index)) else { return -EINVAL }
            return write(argument, v4l2_frmivalenum.self) { entry in
                entry.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
                entry.discrete = v4l2_fract(numerator: 1, denominator: mode.rates[Int(asked.index)])
            }
        }
    }

    private var isMultiPlanar: Bool { setup.capabilities & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 }

    private mutating func setFormat(_ argument: UnsafeMutableRawPointer) -> CInt {
        guard buffers.allSatisfy({ $0.memory == nil }) else { return -EBUSY }
        let asked = argument.assumingMemoryBound(to: v4l2_format.self).pointee.fmt.pix
        mode =
            setup.modes.first {
                $0.pixelFormat.rawValue == asked.pixelformat && $0.size.width == Int(asked.width)
            } ?? setup.modes[0]
        return write(argument, v4l2_format.self) { format in
            format.fmt.pix.width = UInt32(mode.size.width)
            format.fmt.pix.height = UInt32(mode.size.height)
            format.fmt.pix.pixelformat = mode.pixelFormat.rawValue
            if isMultiPlanar {
                format.fmt.pix_mp.num_planes = 2
                format.fmt.pix_mp.plane_fmt.0.bytesperline = UInt32(bytesPerLine)
                format.fmt.pix_mp.plane_fmt.0.sizeimage = UInt32(2 * frameBytes)
            } else {
                format.fmt.pix.bytesperline = UInt32(bytesPerLine)
                format.fmt.pix.sizeimage = UInt32(2 * frameBytes)
            }
        }
    }

    private mutating func exchange(_ request: qz_v4l2_request, _ argument: UnsafeMutableRawPointer) -> CInt {
        if request == qz_v4l2_reqbufs {
            let count = argument.assumingMemoryBound(to: v4l2_requestbuffers.self).pointee.count
            guard buffers.allSatisfy({ $0.memory == nil }) else { return -EBUSY }
            buffers = Array(repeating: FakeCamera.Buffer(), count: Int(count))
            endStream()
            return 0
        }
        let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
        if request == qz_v4l2_dqbuf {
            guard !filled.isEmpty else { return -EAGAIN }
            let index = filled.removeFirst()
            let (seconds, rest) = buffers[index].timestamp.components
            buffer.pointee.index = UInt32(index)
            if isMultiPlanar {
                guard buffer.pointee.length >= 2 else { return -EINVAL }
                buffer.pointee.m.planes[0].bytesused = UInt32(buffers[index].bytesUsed)
                buffer.pointee.m.planes[0].data_offset = UInt32(setup.dataOffset)
            } else {
                buffer.pointee.bytesused = UInt32(buffers[index].bytesUsed)
            }
            buffer.pointee.sequence = buffers[index].sequence
            buffer.pointee.timestamp = timeval(tv_sec: Int(seconds), tv_usec: Int(rest / 1_000_000_000_000))
            buffer.pointee.flags =
                UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
                | (buffers[index].isFlagged ? UInt32(V4L2_BUF_FLAG_ERROR) : 0)
            ledger.handedOut += 1
            ledger.most = max(ledger.most, ledger.handedOut)
            return 0
        }
        let index = Int(buffer.pointee.index)
        guard buffers.indices.contains(index) else { return -EINVAL }
        if request == qz_v4l2_querybuf {
            if isMultiPlanar {
                guard buffer.pointee.length >= 2 else { return -EINVAL }
                buffer.pointee.m.planes[0].length = UInt32(2 * frameBytes)
                buffer.pointee.m.planes[0].m.mem_offset = UInt32(index * 4096)
            } else {
                buffer.pointee.length = UInt32(2 * frameBytes)
                buffer.pointee.m.offset = UInt32(index * 4096)
            }
        } else {
            if nextFrame != nil { ledger.handedOut -= 1 }
            queue.append(index)
        }
        return 0
    }

    private mutating func adjust(_ request: qz_v4l2_request, _ argument: UnsafeMutableRawPointer) -> CInt {
        if request == qz_v4l2_queryctrl {
            let asked = argument.assumingMemoryBound(to: v4l2_queryctrl.self).pointee.id
            let next = Int(asked & ~UInt32(V4L2_CTRL_FLAG_NEXT_CTRL))
            guard setup.controls.indices.contains(next) else { return -EINVAL }
            let control = setup.controls[next]
            return write(argument, v4l2_queryctrl.self) { query in
                // Identifiers start at one, because a query with zero asks for the first.
                query.id = UInt32(next + 1)
                query.type = V4L2_CTRL_TYPE_INTEGER.rawValue
                copy(control.name, to: &query.name)
                query.minimum = control.range.lowerBound
                query.maximum = control.range.upperBound
                query.step = control.step
                query.default_value = 0
                query.flags = control.isInactive ? UInt32(V4L2_CTRL_FLAG_INACTIVE) : 0
            }
        }
        let control = argument.assumingMemoryBound(to: v4l2_control.self)
        let index = Int(control.pointee.id) - 1
        guard setup.controls.indices.contains(index) else { return -EINVAL }
        if request == qz_v4l2_g_ctrl {
            control.pointee.value = setup.controls[index].value
        } else {
            guard !setup.controls[index].isInactive else { return -EACCES }
            setup.controls[index].value = control.pointee.value
        }
        return 0
    }

    private func copy<Characters>(_ text: String, to characters: inout Characters) {
        withUnsafeMutableBytes(of: &characters) { bytes in
            bytes.copyBytes(from: text.utf8.prefix(bytes.count - 1))
        }
    }
}
