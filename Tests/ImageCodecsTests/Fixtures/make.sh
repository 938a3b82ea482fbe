#!/bin/sh
# Makes the pictures that ImageCodecsTests decode, and the grey pictures that they are compared with.
# Needs python3, cjpeg and jpegtran (libjpeg-turbo-progs), cwebp and webpmux (webp), and ImageMagick.
set -eu
cd "$(dirname "$0")"
rm -f ./*.png ./*.jpg ./*.webp ./*.p?m
python3 make.py sources

# JPEG. The brightness of photo.ppm is photo.pgm.
cjpeg -quality 95 -grayscale -outfile jpeg-grey.jpg photo.ppm
cjpeg -quality 95 -outfile jpeg-420.jpg photo.ppm
cjpeg -quality 95 -sample 1x1 -outfile jpeg-444.jpg photo.ppm
cjpeg -quality 95 -sample 2x1 -outfile jpeg-422.jpg photo.ppm
cjpeg -quality 95 -restart 1 -outfile jpeg-restart.jpg photo.ppm
cjpeg -quality 95 -progressive -outfile jpeg-progressive.jpg photo.ppm
cjpeg -quality 95 -arithmetic -outfile jpeg-arithmetic.jpg photo.ppm
cjpeg -quality 95 -arithmetic -progressive -outfile jpeg-arithmetic-progressive.jpg photo.ppm
cjpeg -quality 95 -rgb -outfile jpeg-rgb.jpg photo.ppm
convert photo.ppm -colorspace CMYK -quality 95 -strip jpeg-cmyk.jpg
convert -size 16x16 xc:white -colorspace CMYK -quality 95 -strip jpeg-cmyk-white.jpg

# WebP.
cwebp -quiet -q 95 photo.ppm -o webp-lossy.webp
cwebp -quiet -lossless photo.ppm -o webp-lossless.webp
cwebp -quiet -q 95 -alpha_q 100 png-rgba8.png -o webp-lossy-alpha.webp
cwebp -quiet -lossless -exact png-rgba8.png -o webp-lossless-alpha.webp
cwebp -quiet -lossless png-rgb8.png -o frame.webp
webpmux -frame webp-lossless.webp +100+0+0 -frame frame.webp +100+10+6 -o webp-animated.webp 2>/dev/null
webpmux -frame frame.webp +100+10+6 -frame webp-lossless.webp +100+0+0 -o webp-animated-offset.webp 2>/dev/null
webpmux -set exif orientation-8.exif webp-lossy.webp -o webp-exif-8.webp 2>/dev/null

python3 make.py patches
# What ImageMagick makes of YCCK is the measure for it.
convert jpeg-ycck.jpg -colorspace sRGB -depth 8 ycck.ppm
python3 make.py grey ycck.ppm jpeg-ycck.pgm
rm -f frame.webp orientation-8.exif ycck.ppm photo.ppm
